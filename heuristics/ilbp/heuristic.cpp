// SPDX-License-Identifier: Apache-2.0
#include "heuristics/common/local_binary_pattern.hpp"
#include "heuristics/common/pattern_image.hpp"

using Ilbp = mash::heuristics::PatternImage<mash::heuristics::mean_pattern<false>>;

MASH_HEURISTIC(Ilbp, "ilbp", "1.0.0", "MASH", "improved local binary pattern of every pixel", "Apache-2.0")
