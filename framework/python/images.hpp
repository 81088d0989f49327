// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"

namespace mash::python {

// Images of a NumPy array, seen where they are: one that is not C-contiguous is copied, no other.
struct Images {
  pybind11::array_t<std::uint8_t, pybind11::array::c_style> array;  // keeps the pixels
  ImageShape shape;
  std::size_t num_images = 0;
  bool is_single = false;  // no batch: one image

  std::span<const std::uint8_t> image(std::size_t n) const {
    return pixels().subspan(n * shape.num_bytes(), shape.num_bytes());
  }
  std::span<const std::uint8_t> pixels() const { return {array.data(), num_images * shape.num_bytes()}; }
};

// (h, w) and (h, w, 3) are an image; (n, h, w), (n, h, w, 1) and (n, h, w, 3) are n of them. A list of images
// of one shape is as good as an array. Raises ValueError or TypeError for anything else, with what was found.
Images images_of(const pybind11::object& given);

// Images of one array, or a list of images that may differ in shape.
struct ImageList {
  std::vector<Images> parts;
  bool is_single = false;  // no batch: one image
};

// An array as images_of takes it, or a list or tuple of single images.
ImageList image_list(const pybind11::object& given);

// The examples of a split without labels, as a model of `shape` takes them: what is done to pictures that are
// read from files is done to these, resizing where the model was trained with it. Raises ValueError: images
// of another size without that; of a list it says which.
Split split_of(std::span<const Images> parts, const ImageShape& shape);

}  // namespace mash::python
