// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/extractors/image_maps.hpp"
#include "mash/abi/image.h"

namespace mash {

// Shows a data set's images to heuristics, one at a time; owns the grey plane of colour images, and the maps
// that heuristics share. For one thread.
class ImagePlanes {
 public:
  explicit ImagePlanes(const ImageShape& shape);

  // The image over `pixels` (shape.num_bytes() of them); valid until the next call, as long as `pixels` are.
  const mash_image_t& show(std::span<const std::uint8_t> pixels);

  // The whole image.
  mash_view_t view() const { return {0, 0, shape_.width, shape_.height}; }

 private:
  ImageShape shape_;
  std::vector<std::uint8_t> gray_;
  mash_image_t image_;
  ImageMaps maps_{image_};
};

}  // namespace mash
