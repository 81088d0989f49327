// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "framework/dataset/dataset.hpp"

namespace mash {

// Pictures on which heuristics are compared with what they computed when a model was trained: a slope, blocks
// and noise (kNumProbePictures), one after the other as a sequence whose cameras take turns. Model files hold
// values on them, so the same shape and seed always give the same pixels. REQUIRES: a shape with pixels.
Split probe_pictures(const ImageShape& shape, std::uint64_t seed);

}  // namespace mash
