// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// Bytes of a picture that somebody else could have made: slopes, edges and noise, all brightnesses.
RgbPicture random_picture(std::uint32_t width, std::uint32_t height, RandomStream& stream) {
  RgbPicture picture{width, height, {}};
  const std::uint64_t noise = 1 + stream.below(256), across = stream.below(9), down = stream.below(9);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        picture.pixels.push_back(std::uint8_t((across * x + down * y + stream.below(noise)) % 256));
  return picture;
}

cv::Mat as_opencv(const RgbPicture& picture) {
  return {int(picture.height), int(picture.width), CV_8UC3, const_cast<std::uint8_t*>(picture.pixels.data())};
}

// By OpenCV: the sides that shrink, then those that grow.
cv::Mat stretched_by_opencv(const cv::Mat& picture, cv::Size size) {
  cv::Mat smaller = picture, made;
  const cv::Size least(std::min(size.width, picture.cols), std::min(size.height, picture.rows));
  if (least != picture.size()) cv::resize(picture, smaller, least, 0, 0, cv::INTER_AREA);
  if (least == size) return smaller;
  cv::resize(smaller, made, size, 0, 0, cv::INTER_CUBIC);
  return made;
}

// The number of bytes that differ.
std::size_t num_differences(const RgbPicture& picture, const cv::Mat& other) {
  if (other.cols != int(picture.width) || other.rows != int(picture.height)) return picture.pixels.size();
  std::size_t count = 0;
  for (int y = 0; y < other.rows; ++y)
    for (int i = 0; i < 3 * other.cols; ++i)
      count += other.ptr(y)[i] != picture.pixels[std::size_t(y) * 3 * picture.width + std::size_t(i)];
  return count;
}

struct Sides {
  std::uint32_t width, height, to_width, to_height;
};

void expect_as_opencv(const Sides& sides, RandomStream& stream) {
  const RgbPicture picture = random_picture(sides.width, sides.height, stream);
  const RgbPicture made = stretched(picture.view(), sides.to_width, sides.to_height);
  const cv::Mat expected =
      stretched_by_opencv(as_opencv(picture), {int(sides.to_width), int(sides.to_height)});
  EXPECT_EQ(num_differences(made, expected), 0u)
      << sides.width << "x" << sides.height << " to " << sides.to_width << "x" << sides.to_height;
}

std::uint32_t random_side(std::uint64_t most, RandomStream& stream) {
  return std::uint32_t(1 + stream.below(most));
}

// OpenCV fuses multiplications on other processors.
#if defined(__x86_64__)
TEST(Scaling, GivesTheBytesOfOpenCvForAThousandSizes) {
  RandomStream stream(1, "scaling.sizes");
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t most = i % 4 == 0 ? 12 : 200;
    const Sides sides{random_side(most, stream), random_side(most, stream), random_side(most, stream),
                      random_side(most, stream)};
    expect_as_opencv(sides, stream);
  }
}

// OpenCV has loops of their own for whole numbers, and for halves.
TEST(Scaling, GivesTheBytesOfOpenCvForWholeBlocks) {
  RandomStream stream(2, "scaling.blocks");
  for (std::uint32_t across = 1; across <= 9; ++across)
    for (std::uint32_t down = 1; down <= 9; ++down) {
      const std::uint32_t width = random_side(30, stream), height = random_side(30, stream);
      expect_as_opencv({width * across, height * down, width, height}, stream);
      expect_as_opencv({width, height, width * across, height * down}, stream);
    }
}

TEST(Scaling, GivesTheBytesOfOpenCvForOneSideAlone) {
  RandomStream stream(3, "scaling.sides");
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t kept = random_side(60, stream);
    expect_as_opencv({kept, random_side(99, stream), kept, random_side(99, stream)}, stream);
    expect_as_opencv({random_side(99, stream), kept, random_side(99, stream), kept}, stream);
  }
}

TEST(Scaling, GivesTheBytesOfOpenCvForPicturesOfCameras) {
  RandomStream stream(4, "scaling.cameras");
  expect_as_opencv({1280, 960, 64, 64}, stream);
  expect_as_opencv({1283, 961, 97, 31}, stream);
  expect_as_opencv({31, 17, 1280, 960}, stream);
}
#endif

TEST(Scaling, ReadsRowsWithGapsAndPartsOfPictures) {
  RandomStream stream(5, "scaling.gaps");
  const RgbPicture whole = random_picture(40, 30, stream);
  const RgbView part{whole.pixels.data() + 3 * (5 * 40 + 7), 3 * 40, 20, 15};
  RgbPicture copy{20, 15, {}};
  for (std::uint32_t y = 0; y < 15; ++y) {
    const std::uint8_t* row = part.origin + std::ptrdiff_t(y) * part.row_stride;
    copy.pixels.insert(copy.pixels.end(), row, row + 3 * 20);
  }
  for (const std::uint32_t size : {20u, 7u, 33u})
    EXPECT_EQ(stretched(part, size, size).pixels, stretched(copy.view(), size, size).pixels) << size;
  EXPECT_EQ(fitted(part, 16, 9).pixels, fitted(copy.view(), 16, 9).pixels);
  EXPECT_EQ(cropped(part, 16, 9).pixels, cropped(copy.view(), 16, 9).pixels);
}

TEST(Scaling, LeavesAPictureOfThatSizeAsItIs) {
  RandomStream stream(6, "scaling.same");
  const RgbPicture picture = random_picture(23, 11, stream);
  for (const auto scaled : {stretched, fitted, cropped})
    EXPECT_EQ(scaled(picture.view(), 23, 11).pixels, picture.pixels);
}

}  // namespace
}  // namespace mash
