// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/reader.hpp"

namespace mash {

// CHESS(d, J, L) of Busa-Fekete & Kegl 2010, section 4.1: the class tells the colour of the field that a
// point lies on, with L fields along each of J of its d dimensions. Keys: features, relevant, levels.
Result<Dataset> generate_chess(Settings& settings, const ReadRequest& request);

}  // namespace mash
