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

// The pixels of one image in the size and channels of a model that was trained with resizing.
PixelArray of_size(std::span<const std::uint8_t> pixels, const ImageShape& found, const ImageShape& wanted) {
  const PixelArray colour = in_channels(pixels, found.num_channels, 3);
  DecodedImage image{found, {colour.begin(), colour.end()}};
  image.shape.num_channels = 3;
  const DecodedImage changed = resized(image, {wanted.width, wanted.height, wanted.resize});
  return in_channels(changed.pixels, 3, wanted.num_channels);
}

void append(PixelArray part, PixelArray& all) {
  if (all.empty())
    all = std::move(part);
  else
    all.insert(all.end(), part.begin(), part.end());
}

// called: the argument, for errors.
Images images_called(const py::object& given, const std::string& called) {
  const py::array array = py::array::ensure(given);
  if (!array)
    raise(input_error("{}: found {} that is no array of numbers, expected images of one size", called,
                      std::string(py::str(py::type::of(given).attr("__name__")))));
  if (!py::isinstance<py::array_t<std::uint8_t>>(array))
    throw py::type_error(fmt::format("{}: found values of type {}, expected uint8, 0 (black) to 255", called,
                                     std::string(py::str(array.dtype()))));
  const auto ndim = array.ndim();
  const auto size = [&](py::ssize_t axis) { return axis < ndim ? array.shape(axis) : 0; };
  const bool is_single = ndim == 2 || (ndim == 3 && size(2) == 3);
  const bool is_batch = (ndim == 3 && !is_single) || (ndim == 4 && (size(3) == 1 || size(3) == 3));
  const py::ssize_t first = is_single ? 0 : 1;
  if ((!is_single && !is_batch) || size(first) == 0 || size(first + 1) == 0)
    raise(
        input_error("{}: found an array of shape {}, expected (h, w) or (h, w, 3) for one image, (n, h, w) "
                    "or (n, h, w, 3) "
                    "for several",
                    called, shape_text(array)));
  Images images;
  images.array = array;
  images.is_single = is_single;
  images.num_images = is_single ? 1 : std::size_t(size(0));
  images.shape.height = std::uint32_t(size(first));
  images.shape.width = std::uint32_t(size(first + 1));
  images.shape.num_channels = size(first + 2) == 3 ? 3 : 1;
  return images;
}

}  // namespace

Images images_of(const py::object& given) { return images_called(given, "images"); }

ImageList image_list(const py::object& given) {
  ImageList list;
  if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given)) {
    list.parts.push_back(images_of(given));
    list.is_single = list.parts[0].is_single;
    return list;
  }
  for (const py::handle item : given) {
    list.parts.push_back(images_called(py::reinterpret_borrow<py::object>(item),
                                       fmt::format("images[{}]", list.parts.size())));
    if (list.parts.back().is_single) continue;
    raise(input_error("images[{}]: found an array of shape {}, expected one image, (h, w) or (h, w, 3)",
                      list.parts.size() - 1, shape_text(list.parts.back().array)));
  }
  return list;
}

Split split_of(std::span<const Images> parts, const ImageShape& shape) {
  Split split;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Images& images = parts[i];
    const ImageShape& found = images.shape;
    const bool fits = found.width == shape.width && found.height == shape.height;
    if (!fits && shape.resize == ResizeMode::kNone)
      raise(input_error("images{}: found {}x{} pixels, expected {}x{} as the model was trained on",
                        parts.size() > 1 ? fmt::format("[{}]", i) : "", found.width, found.height,
                        shape.width, shape.height));
    split.num_examples += images.num_images;
    if (fits)
      append(in_channels(images.pixels(), found.num_channels, shape.num_channels), split.pixels);
    else
      for (std::size_t n = 0; n < images.num_images; ++n)
        append(of_size(images.image(n), found, shape), split.pixels);
  }
  return split;
}

}  // namespace mash::python
