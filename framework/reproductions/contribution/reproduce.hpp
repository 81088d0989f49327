// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// How well the offer test tells what a heuristic is worth: every family of two pools by trainings with and
// without it, by short ones as they are often compared, and by the offer test, all on the test side.
Result<ReproductionReport> reproduce_contribution(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
