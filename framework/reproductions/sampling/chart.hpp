// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/reproductions/sampling/reproduction.hpp"

namespace mash {

// A self-contained SVG: training loss and test error of every method, against cost and against seconds; means
// over the seeds. REQUIRES: every method has a curve.
std::string reproduction_svg(const Reproduction& reproduction);

}  // namespace mash
