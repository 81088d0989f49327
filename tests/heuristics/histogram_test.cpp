// SPDX-License-Identifier: Apache-2.0
//
// gray-histogram, color-histogram, lbp-histogram, mct
#include <gmock/gmock.h>

#include <bit>
#include <numeric>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "builtin.hpp"

namespace mash {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;

TEST(GrayHistogram, ByHand) {
  // 4 bins of 64 grey levels; the whole view, then its four quarters.
  const std::vector<int> values = {0, 63, 64, 255, 10, 20, 130, 190, 0, 0, 255, 255, 0, 0, 255, 200};
  const auto features = Builtin("gray-histogram", {{"bins", "4"}, {"levels", "2"}, {"overlap", "no"}})
                            .features(Picture({4, 4}, 1, pixels(4, values)));
  EXPECT_THAT(features,
              ElementsAre(FloatEq(8 / 16.f), FloatEq(1 / 16.f), FloatEq(2 / 16.f), FloatEq(5 / 16.f),  //
                          1, 0, 0, 0, 0, .25, .5, .25, 1, 0, 0, 0, 0, 0, 0, 1));
}

TEST(GrayHistogram, OverlapAddsTheCellsInBetween) {
  // Left half black, right half white: the cells of level 1 across the middle are half and half.
  const auto halves = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x < 4 ? 0 : 255);
  };
  const auto features = Builtin("gray-histogram", {{"bins", "2"}, {"levels", "2"}, {"overlap", "yes"}})
                            .features(Picture({8, 8}, 1, halves));
  ASSERT_EQ(features.size(), 2u * (1 + 9));
  EXPECT_THAT(std::vector(features.begin() + 2, features.begin() + 8), ElementsAre(1, 0, .5, .5, 0, 1));
}

TEST(GrayHistogram, AgreesWithOpenCv) {
  const Picture picture({33, 17}, 1, textured(1));
  cv::Mat image(17, 33, CV_8U), expected;
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 33; ++x)
      image.at<std::uint8_t>(y, x) = picture.gray(std::uint32_t(x), std::uint32_t(y));
  const int channel = 0, num_bins = 16;
  const float range[] = {0, 256};
  const float* ranges[] = {range};
  cv::calcHist(&image, 1, &channel, cv::Mat(), expected, 1, &num_bins, ranges);
  const auto features = Builtin("gray-histogram", {{"bins", "16"}, {"levels", "1"}}).features(picture);
  ASSERT_EQ(features.size(), 16u);
  for (int i = 0; i < 16; ++i) EXPECT_FLOAT_EQ(features[std::size_t(i)], expected.at<float>(i) / (33 * 17));
}

// Every histogram of the pyramid adds up to 1.
void expect_unit_sums(const std::vector<float>& features, std::size_t num_bins) {
  for (std::size_t i = 0; i < features.size(); i += num_bins)
    ASSERT_NEAR(std::accumulate(features.begin() + std::ptrdiff_t(i),
                                features.begin() + std::ptrdiff_t(i + num_bins), 0.),
                1, 1e-5);
}

TEST(Histograms, AddUpToOne) {
  for (const mash_size_t size : {mash_size_t{8, 8}, mash_size_t{33, 17}}) {
    const Picture picture(size, 3, textured(2));
    expect_unit_sums(Builtin("gray-histogram", {{"bins", "7"}}).features(picture), 7);
    expect_unit_sums(Builtin("lbp-histogram").features(picture), 59);
    expect_unit_sums(Builtin("color-histogram", {{"bins", "5"}}).features(picture), 5);
    expect_unit_sums(Builtin("color-histogram", {{"bins", "3"}, {"space", "joint-rgb"}}).features(picture),
                     27);
  }
}

// (255, 0, 128) everywhere.
std::uint8_t pink(std::uint32_t, std::uint32_t, std::uint32_t channel) {
  return channel == 0 ? 255 : channel == 1 ? 0 : 128;
}

TEST(ColorHistogram, Rgb) {
  EXPECT_THAT(Builtin("color-histogram", {{"space", "rgb"}, {"bins", "3"}, {"levels", "1"}})
                  .features(Picture({8, 8}, 3, pink)),
              ElementsAre(0, 0, 1, 1, 0, 0, 0, 1, 0));
}

TEST(ColorHistogram, Opponent) {
  // r - g = 255, the most; r + g - 2b = -1 of -510 .. 510, the middle of three; r + g + b = 383 of 765, the
  // middle.
  EXPECT_THAT(Builtin("color-histogram", {{"space", "opponent"}, {"bins", "3"}, {"levels", "1"}})
                  .features(Picture({8, 8}, 3, pink)),
              ElementsAre(0, 0, 1, 0, 1, 0, 0, 1, 0));
}

TEST(ColorHistogram, JointRgb) {
  const auto features = Builtin("color-histogram", {{"space", "joint-rgb"}, {"bins", "4"}, {"levels", "1"}})
                            .features(Picture({8, 8}, 3, pink));
  ASSERT_EQ(features.size(), 64u);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(features[i], i == 3 * 16 + 0 * 4 + 2 ? 1 : 0) << i;
}

TEST(LbpHistogram, AFlatImageHasThePatternOfOnes) {
  // 255 is the last of the 58 uniform patterns.
  const auto features = Builtin("lbp-histogram", {{"levels", "1"}}).features(Picture({8, 8}, 1, flat(9)));
  ASSERT_EQ(features.size(), 59u);
  for (std::size_t i = 0; i < 59; ++i) EXPECT_EQ(features[i], i == 57 ? 1 : 0);
}

TEST(LbpHistogram, CountsTheUniformPatternsOfTheLbpImage) {
  const Picture picture({16, 16}, 1, textured(3));
  const auto codes = Builtin("lbp", {{"radius", "2"}}).features(picture);
  std::vector<float> expected(59, 0.f);
  for (const float code : codes) {
    std::size_t bin = 58;
    std::uint32_t num_uniform = 0;
    for (std::uint32_t pattern = 0; pattern < 256; ++pattern) {
      int num_changes = 0;
      for (std::uint32_t p = 0; p < 8; ++p)
        num_changes += (pattern >> p & 1) != (pattern >> ((p + 1) % 8) & 1);
      if (num_changes > 2) continue;
      if (float(pattern) == code) bin = num_uniform;
      ++num_uniform;
    }
    ASSERT_EQ(num_uniform, 58u);
    expected[bin] += 1 / 256.f;
  }
  const auto features = Builtin("lbp-histogram", {{"radius", "2"}, {"levels", "2"}}).features(picture);
  ASSERT_EQ(features.size(), 59u * 5);
  for (std::size_t i = 0; i < 59; ++i) {
    EXPECT_FLOAT_EQ(features[i], expected[i]);
    // The whole is the mean of its four equal quarters.
    EXPECT_FLOAT_EQ(features[i],
                    (features[59 + i] + features[118 + i] + features[177 + i] + features[236 + i]) / 4);
  }
}

TEST(LbpHistogram, CellsOfATinyViewMayBeEmpty) {
  const auto features = Builtin("lbp-histogram", {{"levels", "3"}}).features(Picture({2, 2}, 1, flat(1)));
  ASSERT_EQ(features.size(), 59u * 21);
  EXPECT_EQ(std::accumulate(features.begin(), features.begin() + 59, 0.f), 1);
  EXPECT_THAT(std::vector(features.begin() + 59 * 5, features.begin() + 59 * 6), Each(0));
}

TEST(Mct, TheBitsOfAPixelByHand) {
  // A patch repeated, of which each copy has its 6 in the middle among the same eight neighbours: sum 51,
  // mean 5.67, so bits 3 to 7 and that of the centre. Cells of 8 x 8 are pixels here; (1, 1) is such a
  // middle.
  const std::vector<int> patch = {6, 5, 2, 7, 6, 1, 9, 8, 7};
  const auto sample = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(patch[y % 3 * 3 + x % 3]);
  };
  const auto bits = Builtin("mct").features(Picture({8, 8}, 1, sample));
  ASSERT_EQ(bits.size(), 64u * 9);
  EXPECT_THAT(std::vector(bits.begin() + 9 * 9, bits.begin() + 10 * 9),
              ::testing::ElementsAre(0, 0, 0, 1, 1, 1, 1, 1, 1));
}

TEST(Mct, AFlatImageHasNoBit) {
  const Picture picture({28, 28}, 1, flat(77));
  EXPECT_THAT(Builtin("mct").features(picture), Each(0));
  const auto codes = Builtin("mct", {{"output", "codes"}, {"level", "0"}}).features(picture);
  ASSERT_EQ(codes.size(), 511u);
  EXPECT_EQ(codes[0], 1);
  EXPECT_EQ(std::accumulate(codes.begin(), codes.end(), 0.f), 1);
}

TEST(Mct, BitsAreSumsOfCodes) {
  const Picture picture({18, 23}, 1, textured(5));
  const auto codes =
      Builtin("mct", {{"output", "codes"}, {"level", "1"}, {"overlap", "yes"}}).features(picture);
  const auto bits = Builtin("mct", {{"level", "1"}, {"overlap", "yes"}}).features(picture);
  ASSERT_EQ(codes.size(), 9u * 511);
  ASSERT_EQ(bits.size(), 9u * 9);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    double sum = 0;
    for (std::size_t code = 0; code < 511; ++code) sum += code >> i % 9 & 1 ? codes[i / 9 * 511 + code] : 0;
    EXPECT_NEAR(bits[i], sum, 1e-5);
  }
}

}  // namespace
}  // namespace mash
