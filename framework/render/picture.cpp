// SPDX-License-Identifier: Apache-2.0
#include "framework/render/picture.hpp"

#include <openssl/evp.h>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace mash {
namespace {

std::string base64(std::span<const unsigned char> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that OpenSSL puts behind it
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), int(bytes.size()));
  text.pop_back();
  return text;
}

}  // namespace

Result<std::string> png_data_uri(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
  const int type = shape.num_channels == 3 ? CV_8UC3 : CV_8UC1;
  // OpenCV has no matrix over constant data; this one is only read.
  const cv::Mat image(int(shape.height), int(shape.width), type, const_cast<std::uint8_t*>(pixels.data()));
  std::vector<unsigned char> png;
  try {
    cv::Mat ordered = image;
    if (shape.num_channels == 3) cv::cvtColor(image, ordered, cv::COLOR_RGB2BGR);
    if (!cv::imencode(".png", ordered, png))
      return failure("a picture of {}x{} pixels cannot be encoded as PNG", shape.width, shape.height);
  } catch (const cv::Exception&) {
    return failure("a picture of {}x{} pixels cannot be encoded as PNG", shape.width, shape.height);
  }
  return "data:image/png;base64," + base64(png);
}

}  // namespace mash
