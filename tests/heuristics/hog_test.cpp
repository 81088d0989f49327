// SPDX-License-Identifier: Apache-2.0
//
// hog, hog-oriented, phog, dense-sift
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
              ::testing::Pointwise(::testing::FloatNear(1e-5f), {kOneOfTwo, 0.f, 0.f, 0.f, 0.f, kOneOfTwo}));
  EXPECT_EQ(Builtin("hog", kOneCell).features(Picture({8, 8}, 1, falling)), features);
}

TEST(HogOriented, TellsBrightOnTheRightFromBrightOnTheLeft) {
  // Bins of 60 degrees: 0 degrees is shared by bins 0 and 5, 180 degrees by bins 2 and 3.
  Builtin hog("hog-oriented", kOneCell);
  EXPECT_THAT(hog.features(Picture({8, 8}, 1, rising)),
              ::testing::Pointwise(::testing::FloatNear(1e-5f), {kOneOfTwo, 0.f, 0.f, 0.f, 0.f, kOneOfTwo}));
  EXPECT_THAT(hog.features(Picture({8, 8}, 1, falling)),
              ::testing::Pointwise(::testing::FloatNear(1e-5f), {0.f, 0.f, kOneOfTwo, kOneOfTwo, 0.f, 0.f}));
}

TEST(Hog, MoreFeaturesThanCanBeCountedAreRefused) {
  Builtin hog("hog", {{"cell", "1"}, {"block", "8"}, {"bins", "64"}, {"levels", "1"}, {"stride", "1"}});
  // 1025^2 blocks of 4096 features are 2^32 + 8 392 704.
  const auto dim = hog.instance().dim({1032, 1032});
  ASSERT_FALSE(dim);
  EXPECT_THAT(dim.error().message, ::testing::HasSubstr("2^32"));
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
              ::testing::Pointwise(::testing::FloatNear(1e-5f), {0.f, kOne, 0.f, 0.f, 0.f, 0.f}));
}

TEST(Hog, AFlatImageIsZero) {
  EXPECT_THAT(Builtin("hog").features(Picture({28, 28}, 1, flat(99))), ::testing::Each(0.f));
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
  EXPECT_THAT(dim.error().message, ::testing::HasSubstr("smaller than one block"));
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

TEST(Phog, AVerticalEdgeByHand) {
  // Two columns beside the edge vote 40 each in 8 rows, half for the bin around 45 and half for the one
  // around 315 degrees.
  const auto features =
      Builtin("phog", {{"level", "0"}, {"bins", "4"}, {"norm", "l1"}}).features(Picture({8, 8}, 1, rising));
  EXPECT_THAT(features,
              ::testing::Pointwise(::testing::FloatNear(1e-6f), {320 / 641.f, 0.f, 0.f, 320 / 641.f}));
}

TEST(Phog, FourCellsAddUpToTheLevelAbove) {
  const Picture picture({28, 20}, 3, textured(3));
  for (const char* orientation : {"signed", "unsigned"}) {
    std::vector<std::vector<float>> levels;
    for (const char* level : {"0", "1", "2", "3"})
      levels.push_back(Builtin("phog", {{"level", level}, {"norm", "l1"}, {"orientation", orientation}})
                           .features(picture));
    for (std::size_t level = 0; level < 4; ++level) {
      const std::size_t side = 1u << level;
      ASSERT_EQ(levels[level].size(), 20 * side * side);
      for (std::size_t i = 0; level > 0 && i < levels[level - 1].size(); ++i) {
        const std::size_t bin = i % 20, x = i / 20 % (side / 2), y = i / 20 / (side / 2);
        double sum = 0;
        for (std::size_t dy = 0; dy < 2; ++dy)
          for (std::size_t dx = 0; dx < 2; ++dx)
            sum += levels[level][((2 * y + dy) * side + 2 * x + dx) * 20 + bin];
        EXPECT_NEAR(sum, levels[level - 1][i], 1e-6);
      }
    }
  }
}

TEST(Phog, L2HasUnitLengthAndAFlatImageIsZero) {
  double squares = 0;
  for (const float value : Builtin("phog").features(Picture({28, 28}, 1, textured(4))))
    squares += value * value;
  EXPECT_NEAR(std::sqrt(squares), 1, 1e-3);
  EXPECT_THAT(Builtin("phog").features(Picture({28, 28}, 1, flat(99))), ::testing::Each(0.f));
}

TEST(DenseSift, IsHogOfFourByFourCellsWithLowesWindow) {
  // Patches of 12 pixels every 6; the cells of 3 pixels come to blocks of the same place and size.
  const Picture picture({24, 30}, 3, textured(5));
  const auto features = Builtin("dense-sift").features(picture);
  ASSERT_EQ(features.size(), 3u * 4 * 128);
  EXPECT_EQ(
      features,
      Builtin(
          "hog-oriented",
          {{"cell", "3"}, {"block", "4"}, {"bins", "8"}, {"stride", "2"}, {"levels", "1"}, {"window", "0.5"}})
          .features(picture));
}

TEST(DenseSift, NumberOfFeaturesByHand) {
  EXPECT_EQ(Builtin("dense-sift", {{"level", "0"}}).dim({28, 28}), 128u);     // one patch of 28
  EXPECT_EQ(Builtin("dense-sift").dim({28, 28}), 9u * 128);                   // of 14, every 7
  EXPECT_EQ(Builtin("dense-sift").dim({64, 128}), 3u * 7 * 128);              // of 32, every 16
  EXPECT_EQ(Builtin("dense-sift", {{"level", "3"}}).dim({5, 3}), 15u * 128);  // of one pixel
}

TEST(DenseSift, PutsAnEdgeIntoTheCellWhereItLies) {
  // One patch of 16 pixels with an edge between its second and third column of cells: nothing in the outer
  // columns but what linear interpolation brings, the most in the two beside the edge, as much in the one as
  // in the other.
  const auto edge = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x < 8 ? 0 : 200);
  };
  const auto features = Builtin("dense-sift", {{"level", "0"}}).features(Picture({16, 16}, 1, edge));
  ASSERT_EQ(features.size(), 128u);
  for (std::size_t row = 0; row < 4; ++row) {
    const float* cells = features.data() + row * 32;
    EXPECT_FLOAT_EQ(cells[8], cells[16]);
    EXPECT_GT(cells[8], 0.1f);
    EXPECT_EQ(cells[0], 0);
    EXPECT_EQ(cells[24], 0);
    EXPECT_FLOAT_EQ(cells[8], cells[8 + 7]) << "0 degrees lies between bins 0 and 7";
    EXPECT_EQ(cells[8 + 3], 0);
  }
}

}  // namespace
}  // namespace mash
