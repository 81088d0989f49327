// SPDX-License-Identifier: Apache-2.0
#include "framework/families/image_planes.hpp"

#include <cassert>

#include "framework/dataset/endless.hpp"

namespace mash {

ImagePlanes::ImagePlanes(const ImageShape& shape, std::size_t capacity, std::size_t maps_kept,
                         std::size_t looks_back)
    : shape_(shape),
      view_{0, 0, shape.width, shape.height},
      capacity_(capacity),
      looks_back_(looks_back),
      images_(capacity + looks_back),
      maps_(images_, maps_kept) {
  for (mash_image_t& image : images_) {
    image.struct_size = sizeof(mash_image_t);
    image.num_channels = shape.num_channels;
    image.width = shape.width;
    image.height = shape.height;
  }
  if (shape.num_channels == 3) gray_.resize(images_.size() * shape.width * shape.height);
}

void ImagePlanes::clear() {
  num_images_ = num_shown_ = 0;
  frames_.clear();
  last_split_ = nullptr;
  maps_.forget();
}

void ImagePlanes::add(std::span<const std::uint8_t> pixels) {
  assert(!is_full());
  const std::ptrdiff_t width = shape_.width;
  const std::size_t image_idx = num_images_++;
  mash_image_t& image = images_[image_idx];
  if (shape_.num_channels == 1) {
    image.gray = image.red = image.green = image.blue = {pixels.data(), width, 1};
    return;
  }
  const std::size_t num_pixels = std::size_t(shape_.width) * shape_.height;
  std::uint8_t* gray = gray_.data() + image_idx * num_pixels;
  for (std::size_t i = 0; i < num_pixels; ++i)
    gray[i] = std::uint8_t((11 * pixels[3 * i] + 16 * pixels[3 * i + 1] + 5 * pixels[3 * i + 2]) >> 5);
  image.gray = {gray, width, 1};
  image.red = {pixels.data(), 3 * width, 3};
  image.green = {pixels.data() + 1, 3 * width, 3};
  image.blue = {pixels.data() + 2, 3 * width, 3};
}

bool ImagePlanes::has_room_for(const Split& split, std::size_t example_idx) const {
  if (is_full()) return false;
  if (split.frames.empty() || num_images_ == 0 || split.frames[example_idx].place == 0) return true;
  return last_split_ == &split && last_example_ + 1 == example_idx;
}

void ImagePlanes::add(const Split& split, std::size_t example_idx) {
  assert(has_room_for(split, example_idx));
  if (example_idx >= split.num_examples) {
    made_.resize(images_.size() * shape_.num_bytes());
    const auto image = std::span(made_).subspan(num_images_ * shape_.num_bytes(), shape_.num_bytes());
    split.beyond->render(std::uint32_t(example_idx), image);
    return add(image);
  }
  if (split.frames.empty()) return add(split.image(example_idx, shape_));
  if (num_images_ == 0) {
    const std::size_t num_shown = std::min<std::size_t>(split.frames[example_idx].place, looks_back_);
    for (std::size_t i = example_idx - num_shown; i < example_idx; ++i) {
      ++num_shown_;
      add_frame(split, i);
    }
  }
  add_frame(split, example_idx);
}

bool ImagePlanes::add_if_room(const Split& split, std::size_t example_idx) {
  if (!has_room_for(split, example_idx)) return false;
  add(split, example_idx);
  return true;
}

void ImagePlanes::add_frame(const Split& split, std::size_t example_idx) {
  add(split.image(example_idx, shape_));
  frames_.push_back({split.frames[example_idx].place, split.frames[example_idx].camera, 0});
  last_split_ = &split;
  last_example_ = example_idx;
}

const mash_image_t& ImagePlanes::show(std::span<const std::uint8_t> pixels) {
  clear();
  add(pixels);
  return images_.front();
}

}  // namespace mash
