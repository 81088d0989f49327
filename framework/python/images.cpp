// SPDX-License-Identifier: Apache-2.0
#include "framework/python/images.hpp"

#include <string>

#include "framework/dataset/image_file.hpp"
#include "framework/dataset/resize.hpp"
#include "framework/python/work.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

PixelArray in_channels(std::span<const std::uint8_t> pixels, std::uint32_t found, std::uint32_t wanted) {
  if (found == wanted) return PixelArray(pixels.begin(), pixels.end());
  if (wanted == 1) {
    PixelArray grey(pixels.size() / 3);
    to_grey(pixels, grey);
    return grey;
  }
  PixelArray colour;
  colour.reserve(3 * pixels.size());
  for (const std::uint8_t grey : pixels) colour.insert(colour.end(), 3, grey);
  return colour;
}

}  // namespace

Images images_of(const py::array& array) {
  if (!py::isinstance<py::array_t<std::uint8_t>>(array))
    throw py::type_error(fmt::format("images: found values of type {}, expected uint8, 0 (black) to 255",
                                     std::string(py::str(array.dtype()))));
  const auto ndim = array.ndim();
  const auto size = [&](py::ssize_t axis) { return axis < ndim ? array.shape(axis) : 0; };
  const bool is_single = ndim == 2 || (ndim == 3 && size(2) == 3);
  const bool is_batch = (ndim == 3 && !is_single) || (ndim == 4 && (size(3) == 1 || size(3) == 3));
  const py::ssize_t first = is_single ? 0 : 1;
  if ((!is_single && !is_batch) || size(first) == 0 || size(first + 1) == 0)
    raise(input_error(
        "images: found an array of shape {}, expected (h, w) or (h, w, 3) for one image, (n, h, w) or "
        "(n, h, w, 3) for several",
        shape_text(array)));
  Images images;
  images.array = array;
  images.is_single = is_single;
  images.num_images = is_single ? 1 : std::size_t(size(0));
  images.shape.height = std::uint32_t(size(first));
  images.shape.width = std::uint32_t(size(first + 1));
  images.shape.num_channels = size(first + 2) == 3 ? 3 : 1;
  return images;
}

Split split_of(const Images& images, const ImageShape& shape) {
  Split split;
  split.num_examples = images.num_images;
  const ImageShape& found = images.shape;
  if (found.width == shape.width && found.height == shape.height) {
    split.pixels = in_channels(images.pixels(), found.num_channels, shape.num_channels);
    return split;
  }
  if (shape.resize == ResizeMode::kNone)
    raise(input_error("images: found {}x{} pixels, expected {}x{} as the model was trained on", found.width,
                      found.height, shape.width, shape.height));
  split.pixels.reserve(split.num_examples * shape.num_bytes());
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const auto pixels =
        in_channels(images.pixels().subspan(n * found.num_bytes(), found.num_bytes()), found.num_channels, 3);
    DecodedImage image{found, {pixels.begin(), pixels.end()}};
    image.shape.num_channels = 3;
    const DecodedImage changed = resized(image, {shape.width, shape.height, shape.resize});
    const auto of_model = in_channels(changed.pixels, 3, shape.num_channels);
    split.pixels.insert(split.pixels.end(), of_model.begin(), of_model.end());
  }
  return split;
}

}  // namespace mash::python
