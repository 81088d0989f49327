// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

namespace mash::testing {

inline std::string encoded(const char* extension, const cv::Mat& image) {
  std::vector<unsigned char> bytes;
  cv::imencode(extension, image, bytes);
  return {bytes.begin(), bytes.end()};
}

// `fill` in OpenCV's order: blue, green, red, alpha.
inline std::string picture(const char* extension, int width, int height, const cv::Scalar& fill,
                           int type = CV_8UC3) {
  return encoded(extension, cv::Mat(height, width, type, fill));
}

}  // namespace mash::testing
