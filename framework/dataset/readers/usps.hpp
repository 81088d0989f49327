// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "framework/dataset/reader.hpp"

namespace mash {

// Values of the key `form`.
inline constexpr std::string_view kPictures = "pictures";
inline constexpr std::array<std::string_view, 2> kUspsForms{"columns", kPictures};

// USPS, handwritten digits of ZIP codes in text, as distributed with Hastie, Tibshirani & Friedman, "The
// Elements of Statistical Learning": 16 x 16 values from -1 (background) to 1. Another version in
// circulation, on which error rates are two points lower, has the same digits smoothed by a Gaussian of 0.75
// pixels.
// Keys: path, the folder; smooth, the standard deviation of a Gaussian in pixels, 0 for none; form, whether
// the digits are rows of 256 columns or pictures.
Result<Dataset> read_usps(Settings& settings, const ReadRequest& request);

}  // namespace mash
