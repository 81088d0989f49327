// SPDX-License-Identifier: Apache-2.0
//
// hog, hog-oriented
#include <gmock/gmock.h>

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/objdetect.hpp>

#include "builtin.hpp"

namespace mash {
namespace {

// Bright on the right, by 40 grey levels.
std::uint8_t rising(std::uint32_t x, std::uint32_t, std::uint32_t) { return x < 4 ? 20 : 60; }
std::uint8_t falling(std::uint32_t x, std::uint32_t, std::uint32_t) { return x < 4 ? 60 : 20; }

// All of a block in one bin, or in two alike: clipped to 0.2, then divided by the length plus the 0.001 of
// L2-Hys.
constexpr float kOne = 0.2f / (0.2f + 0.001f);
constexpr float kOneOfTwo = 0.2f / (0.2f * 1.41421356f + 0.001f);

const Keys kOneCell = {{"cell", "8"}, {"block", "1"}, {"bins", "6"}, {"levels", "1"}, {"window", "0"}};

TEST(Hog, AVerticalEdgeIsSharedByTheFirstAndTheLastBin) {
  // Orientation 0 lies on the border of the bins around 15 and 165 degrees: each gets 1 / sqrt 2 of unit
  // length.
  const auto features = Builtin("hog", kOneCell).features(Picture({8, 8}, 1, rising));
  EXPECT_THAT(features,
              testing::Pointwise(testing::FloatNear(1e-5f), {kOneOfTwo, 0.f, 0.f, 0.f, 0.f, kOneOfTwo}));
  EXPECT_EQ(Builtin("hog", kOneCell).features(Picture({8, 8}, 1, falling)), features);
}

TEST(HogOriented, TellsBrightOnTheRightFromBrightOnTheLeft) {
  // Bins of 60 degrees: 0 degrees is shared by bins 0 and 5, 180 degrees by bins 2 and 3.
  Builtin hog("hog-oriented", kOneCell);
  EXPECT_THAT(hog.features(Picture({8, 8}, 1, rising)),
              testing::Pointwise(testing::FloatNear(1e-5f), {kOneOfTwo, 0.f, 0.f, 0.f, 0.f, kOneOfTwo}));
  EXPECT_THAT(hog.features(Picture({8, 8}, 1, falling)),
              testing::Pointwise(testing::FloatNear(1e-5f), {0.f, 0.f, kOneOfTwo, kOneOfTwo, 0.f, 0.f}));
}

TEST(Hog, ADiagonalFallsIntoTheMiddleOfABin) {
  // 45 degrees is the centre of the second of six bins over 180.
  const auto diagonal = [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(10 * (x + y));
  };
  // At the border one of the differences is 0, so the image is larger than the cells that are looked at.
  const auto features =
      Builtin("hog", {{"cell", "4"}, {"block", "1"}, {"bins", "6"}, {"levels", "1"}, {"stride", "1"}})
          .features(Picture({12, 12}, 1, diagonal));
  ASSERT_EQ(features.size(), 9u * 6);
  EXPECT_THAT(std::vector(features.begin() + 24, features.begin() + 30),  // the middle cell
              testing::Pointwise(testing::FloatNear(1e-5f), {0.f, kOne, 0.f, 0.f, 0.f, 0.f}));
}

TEST(Hog, AFlatImageIsZero) {
  EXPECT_THAT(Builtin("hog").features(Picture({28, 28}, 1, flat(99))), testing::Each(0.f));
}

TEST(Hog, NumberOfFeaturesByHand) {
  // 28 x 28, cells of 4, blocks of 2 x 2 every 4 pixels: 6 x 6 blocks of 36 values.
  Builtin one("hog", {{"cell", "4"}, {"stride", "1"}, {"levels", "1"}});
  EXPECT_EQ(one.dim({28, 28}), 1296u);
  // A second level has cells of 8: blocks of 16 every 8 pixels, 2 x 2 of them.
  Builtin two("hog", {{"cell", "4"}, {"stride", "1"}, {"levels", "2"}, {"growth", "2"}});
  EXPECT_EQ(two.dim({28, 28}), 1296u + 144);
  // A third level would have blocks of 32 pixels: it does not fit. And cells shrink to fit the view.
  Builtin three("hog", {{"cell", "4"}, {"stride", "1"}, {"levels", "3"}, {"growth", "2"}});
  EXPECT_EQ(three.dim({28, 28}), 1296u + 144);
  Builtin large("hog", {{"cell", "64"}, {"stride", "1"}, {"levels", "1"}});
  EXPECT_EQ(large.dim({8, 8}), 36u);
}

TEST(Hog, RefusesAViewSmallerThanABlock) {
  Builtin hog("hog", {{"block", "8"}});
  const auto dim = hog.instance().dim({7, 20});
  ASSERT_FALSE(dim);
  EXPECT_THAT(dim.error().message, testing::HasSubstr("smaller than one block"));
}

// The largest difference between our features and those of cv::HOGDescriptor, whose blocks and cells run
// column by column. Its orientations come from a polynomial good to 0.3 degrees, hence tolerances of about
// 0.01. sigma: of OpenCV's window, in pixels.
double difference_to_opencv(bool is_signed, int num_bins, std::uint32_t num_channels, const char* window,
                            double sigma) {
  const Picture picture({40, 32}, num_channels, textured(5));
  cv::Mat image(32, 40, num_channels == 1 ? CV_8UC1 : CV_8UC3);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 40; ++x)
      for (int c = 0; c < int(num_channels); ++c)
        image.ptr(y, x)[c] = textured(5)(std::uint32_t(x), std::uint32_t(y), std::uint32_t(c));
  const cv::HOGDescriptor descriptor({40, 32}, {16, 16}, {8, 8}, {8, 8}, num_bins, 1, sigma,
                                     cv::HOGDescriptor::L2Hys, 0.2, false, 64, is_signed);
  std::vector<float> theirs;
  descriptor.compute(image, theirs);
  const auto ours = Builtin(is_signed ? "hog-oriented" : "hog", {{"cell", "8"},
                                                                 {"block", "2"},
                                                                 {"bins", num_bins == 9 ? "9" : "12"},
                                                                 {"stride", "1"},
                                                                 {"levels", "1"},
                                                                 {"window", window}})
                        .features(picture);
  EXPECT_EQ(ours.size(), theirs.size());
  const std::size_t num_blocks_x = 4, num_blocks_y = 3, bins = std::size_t(num_bins);
  double largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::size_t bin = i % bins, cell = i / bins % 4, block = i / bins / 4;
    const std::size_t their_cell = cell % 2 * 2 + cell / 2;
    const std::size_t their_block = block % num_blocks_x * num_blocks_y + block / num_blocks_x;
    largest =
        std::max(largest, std::abs(double(ours[i]) - theirs[(their_block * 4 + their_cell) * bins + bin]));
  }
  return largest;
}

TEST(Hog, AgreesWithOpenCvWithoutAWindow) {
  EXPECT_LT(difference_to_opencv(false, 9, 1, "0", 1e6), 0.01);
  EXPECT_LT(difference_to_opencv(false, 12, 3, "0", 1e6), 0.01);
}

TEST(HogOriented, AgreesWithOpenCvWithoutAWindow) {
  EXPECT_LT(difference_to_opencv(true, 12, 1, "0", 1e6), 0.01);
  EXPECT_LT(difference_to_opencv(true, 9, 3, "0", 1e6), 0.01);
}

// OpenCV centres its window half a pixel further to the right and below, which shows in the second digit.
TEST(Hog, ComesNearOpenCvWithAWindow) { EXPECT_LT(difference_to_opencv(false, 9, 1, "0.25", 4), 0.06); }

}  // namespace
}  // namespace mash
