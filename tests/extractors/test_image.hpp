// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mash/abi/image.h"
#include "tests/support/scratch_folder.hpp"

namespace mash {

// A picture for the tests, with planes as the ABI demands. Pixels are given as interleaved rows of
// num_channels bytes.
class TestImage {
 public:
  TestImage(std::uint32_t width, std::uint32_t height, std::uint32_t num_channels,
            std::vector<std::uint8_t> pixels)
      : pixels_(std::move(pixels)) {
    const std::ptrdiff_t step = num_channels;
    const auto plane = [&](const std::uint8_t* origin) {
      return mash_plane_t{origin, std::ptrdiff_t(width) * step, step};
    };
    abi_ = {sizeof abi_,
            num_channels,
            width,
            height,
            plane(pixels_.data()),
            plane(pixels_.data()),
            plane(pixels_.data()),
            plane(pixels_.data())};
    if (num_channels == 1) return;
    abi_.green = plane(pixels_.data() + 1);
    abi_.blue = plane(pixels_.data() + 2);
    for (std::size_t i = 0; i < pixels_.size(); i += 3)
      gray_.push_back(std::uint8_t((11 * pixels_[i] + 16 * pixels_[i + 1] + 5 * pixels_[i + 2]) >> 5));
    abi_.gray = {gray_.data(), std::ptrdiff_t(width), 1};
  }
  TestImage(const TestImage&) = delete;
  TestImage& operator=(const TestImage&) = delete;

  const mash_image_t& abi() const { return abi_; }
  mash_view_t whole() const { return {0, 0, abi_.width, abi_.height}; }

 private:
  std::vector<std::uint8_t> pixels_, gray_;
  mash_image_t abi_{};
};

using TemporaryFolder = testing::ScratchFolder;

}  // namespace mash
