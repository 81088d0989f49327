// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// An image of a data set as the bytes of a PNG file. pixels: shape.num_bytes() of them, laid out as in Split.
// Errors: the encoder's own.
Result<std::string> png_bytes(std::span<const std::uint8_t> pixels, const ImageShape& shape);

// The same in a "data:" address, for pages that must not need other files.
Result<std::string> png_data_uri(std::span<const std::uint8_t> pixels, const ImageShape& shape);

}  // namespace mash
