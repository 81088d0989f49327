// SPDX-License-Identifier: Apache-2.0
//
// OpenCV matrices over a view's pixels, for heuristics that link OpenCV (core). Nothing is copied where the
// pixels lie as OpenCV wants them; either way the matrix may only be read, and only during the call that got
// the view.
#ifndef MASH_OPENCV_HPP
#define MASH_OPENCV_HPP

#include <opencv2/core.hpp>

#include "heuristic.hpp"

namespace mash {
namespace detail {

// A matrix over packed pixels of `type` that begin at `origin`.
inline cv::Mat borrow_pixels(const View& view, int type, const std::uint8_t* origin,
                             std::ptrdiff_t row_stride) {
  return cv::Mat(int(view.height()), int(view.width()), type, const_cast<std::uint8_t*>(origin),
                 std::size_t(row_stride));
}

inline cv::Mat copy_plane(const View& view, const Plane& plane) {
  cv::Mat_<std::uint8_t> copy(int(view.height()), int(view.width()));
  for (std::uint32_t y = 0; y < view.height(); ++y)
    for (std::uint32_t x = 0; x < view.width(); ++x) copy(int(y), int(x)) = plane(x, y);
  return copy;
}

inline cv::Mat plane_mat(const View& view, const Plane& plane) {
  if (plane.column_stride() == 1 && plane.row_stride() >= std::ptrdiff_t(view.width()))
    return borrow_pixels(view, CV_8UC1, plane.row(0), plane.row_stride());
  return copy_plane(view, plane);
}

}  // namespace detail

// CV_8UC1, height x width: the grey plane.
inline cv::Mat gray_mat(const View& view) { return detail::plane_mat(view, view.gray()); }

// CV_8UC3, height x width: red, green, blue, in this order (OpenCV's own functions often expect the reverse).
inline cv::Mat rgb_mat(const View& view) {
  const Plane &red = view.red(), &green = view.green(), &blue = view.blue();
  const bool interleaved = green.row(0) == red.row(0) + 1 && blue.row(0) == red.row(0) + 2 &&
                           red.column_stride() == 3 && red.row_stride() >= 3 * std::ptrdiff_t(view.width());
  if (interleaved) return detail::borrow_pixels(view, CV_8UC3, red.row(0), red.row_stride());
  cv::Mat merged;
  cv::merge(
      std::array{detail::plane_mat(view, red), detail::plane_mat(view, green), detail::plane_mat(view, blue)},
      merged);
  return merged;
}

}  // namespace mash

#endif
