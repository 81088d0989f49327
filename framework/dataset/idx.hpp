// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/source.hpp"

namespace mash {

// The IDX format of MNIST (LeCun, Cortes, Burges 1998): big-endian header, then bytes.
//   images  0x00000803, number, height, width, then number x height x width pixels
//   labels  0x00000801, number, then one byte each

struct IdxImages {
  ImageShape shape;  // one channel
  PixelArray pixels;
  std::size_t num_images = 0;
};

// Errors: kInput for a wrong magic number, no or absurd dimensions, and fewer or more bytes than the header
// says.
Result<IdxImages> parse_idx_images(const LoadedSource& source);

// Errors: as above, and a label that is no class, naming its record and byte.
Result<std::vector<std::uint16_t>> parse_idx_labels(const LoadedSource& source, std::size_t num_classes);

// The same format written, for tools and tests. REQUIRES: pixels.size() is a multiple of the image size.
std::string write_idx_images(const IdxImages& images);
std::string write_idx_labels(const std::vector<std::uint16_t>& labels);

}  // namespace mash
