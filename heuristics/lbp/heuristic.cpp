// SPDX-License-Identifier: Apache-2.0
#include "heuristics/common/local_binary_pattern.hpp"
#include "heuristics/common/pattern_image.hpp"

using Lbp = mash::heuristics::PatternImage<mash::heuristics::local_binary_pattern>;

MASH_HEURISTIC(Lbp, "lbp", "1.0.0", "MASH", "local binary pattern of every pixel", "Apache-2.0")
