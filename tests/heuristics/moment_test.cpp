// SPDX-License-Identifier: Apache-2.0
//
// color-moments, region-covariance, zernike, projections
#include <gmock/gmock.h>

#include <cmath>

#include "builtin.hpp"

namespace mash {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

TEST(ColorMoments, ByHand) {
  // Red 1 1 1 5: mean 2, variance 3, third moment (-1 -1 -1 + 27) / 4 = 6. Green is 7, blue 0 0 8 8: mean 4,
  // deviation 4, no skewness.
  const auto sample = [](std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
    if (channel == 0) return std::uint8_t(x == 1 && y == 1 ? 5 : 1);
    return std::uint8_t(channel == 1 ? 7 : 8 * y);
  };
  const Picture picture({2, 2}, 3, sample);
  const float deviation = std::sqrt(3.f), skewness = std::cbrt(6.f);
  EXPECT_THAT(Builtin("color-moments", {{"space", "rgb"}, {"level", "0"}}).features(picture),
              Pointwise(FloatNear(1e-6f), {2.f, deviation, skewness, 7.f, 0.f, 0.f, 4.f, 4.f, 0.f}));
  // Opponent, one pixel a cell: r - g, r + g - 2b, r + g + b without spread.
  const auto cells = Builtin("color-moments", {{"level", "1"}}).features(picture);
  ASSERT_EQ(cells.size(), 36u);
  EXPECT_THAT(std::vector(cells.begin() + 27, cells.end()), ElementsAre(-2, 0, 0, -4, 0, 0, 20, 0, 0));
}

TEST(ColorMoments, OfAGreyImageAreOfOneAxis) {
  const auto features = Builtin("color-moments").features(Picture({28, 28}, 1, textured(1)));
  ASSERT_EQ(features.size(), 576u);
  for (std::size_t i = 0; i < features.size(); i += 9)
    EXPECT_THAT(std::vector(features.begin() + std::ptrdiff_t(i), features.begin() + std::ptrdiff_t(i + 6)),
                Each(0));
}

// The values of a pixel whose covariances count: x, y, brightness or colours, four derivatives.
std::vector<double> covariance_values(const Picture& picture, const Picture::Sample& rgb, bool is_rgb, int x,
                                      int y) {
  const auto gray = [&](int u, int v) {
    const auto [width, height] = picture.size();
    return double(picture.gray(std::uint32_t(std::clamp(u, 0, int(width) - 1)),
                               std::uint32_t(std::clamp(v, 0, int(height) - 1))));
  };
  std::vector<double> values = {double(x), double(y)};
  for (std::uint32_t c = 0; is_rgb && c < 3; ++c)
    values.push_back(rgb(std::uint32_t(x), std::uint32_t(y), c));
  if (!is_rgb) values.push_back(gray(x, y));
  values.push_back(std::abs(gray(x + 1, y) - gray(x - 1, y)));
  values.push_back(std::abs(gray(x, y + 1) - gray(x, y - 1)));
  values.push_back(std::abs(gray(x + 1, y) - 2 * gray(x, y) + gray(x - 1, y)));
  values.push_back(std::abs(gray(x, y + 1) - 2 * gray(x, y) + gray(x, y - 1)));
  return values;
}

// The pixels with left <= x < right, top <= y < bottom.
struct Box {
  int left, top, right, bottom;
};

// Covariances over the pixels of a box, in two passes.
std::vector<float> direct_covariances(const Picture& picture, bool is_rgb, bool is_correlation,
                                      const Box& box) {
  const std::size_t n = is_rgb ? 9 : 7;
  std::vector<std::vector<double>> all;
  std::vector<double> mean(n, 0.0);
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) {
      all.push_back(covariance_values(picture, textured(2), is_rgb, x, y));
      for (std::size_t i = 0; i < n; ++i) mean[i] += all.back()[i];
    }
  for (double& value : mean) value /= double(all.size());
  const auto covariance = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (const auto& values : all) sum += (values[i] - mean[i]) * (values[j] - mean[j]);
    return sum / double(all.size());
  };
  std::vector<float> expected;
  for (std::size_t i = 2; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double scale = std::sqrt(covariance(i, i) * covariance(j, j));
      expected.push_back(float(!is_correlation ? covariance(i, j)
                               : i == j        ? std::sqrt(covariance(i, i))
                                               : covariance(i, j) / scale));
    }
  return expected;
}

TEST(RegionCovariance, AgreesWithDirectComputation) {
  const Picture picture({20, 12}, 3, textured(2));
  for (const bool is_rgb : {false, true})
    for (const bool is_correlation : {false, true}) {
      const auto features =
          Builtin("region-covariance", {{"level", "1"},
                                        {"pixels", is_rgb ? "rgb" : "gray"},
                                        {"normalise", is_correlation ? "correlation" : "covariance"}})
              .features(picture);
      const std::size_t n = is_rgb ? 42 : 25;
      ASSERT_EQ(features.size(), 9 * n);
      // The middle one and the last of the 3 x 3 overlapping cells of 10 x 6 pixels.
      EXPECT_THAT(
          std::vector(features.begin() + std::ptrdiff_t(4 * n), features.begin() + std::ptrdiff_t(5 * n)),
          Pointwise(FloatNear(2e-3f), direct_covariances(picture, is_rgb, is_correlation, {5, 3, 15, 9})));
      EXPECT_THAT(
          std::vector(features.begin() + std::ptrdiff_t(8 * n), features.end()),
          Pointwise(FloatNear(2e-3f), direct_covariances(picture, is_rgb, is_correlation, {10, 6, 20, 12})));
    }
}

TEST(RegionCovariance, OfARamp) {
  // Brightness is 3 x: its correlation with x is 1, its deviation over 8 columns 3 sqrt(63 / 12).
  const auto ramp = [](std::uint32_t x, std::uint32_t, std::uint32_t) { return std::uint8_t(3 * x); };
  const auto features = Builtin("region-covariance", {{"level", "0"}}).features(Picture({8, 8}, 1, ramp));
  ASSERT_EQ(features.size(), 25u);
  EXPECT_FLOAT_EQ(features[0], 1);
  EXPECT_FLOAT_EQ(features[1], 0);
  EXPECT_FLOAT_EQ(features[2], 3 * std::sqrt(63 / 12.f));
}

TEST(RegionCovariance, AFlatImageIsZero) {
  EXPECT_THAT(Builtin("region-covariance").features(Picture({28, 28}, 1, flat(200))), Each(0.f));
}

TEST(Zernike, OfADiscOfOnes) {
  // A_00 is the mean over the disc, 1 except for the pixels of its rim; the higher moments vanish with it.
  Builtin zernike("zernike", {{"order", "4"}, {"levels", "1"}, {"output", "magnitude"}});
  const auto features = zernike.features(Picture({128, 128}, 1, flat(1)));
  ASSERT_EQ(features.size(), 9u);  // (0,0) (1,1) (2,0) (2,2) (3,1) (3,3) (4,0) (4,2) (4,4)
  EXPECT_NEAR(features[0], 1, 0.01);
  for (std::size_t i = 1; i < features.size(); ++i) EXPECT_NEAR(features[i], 0, 0.02) << i;
}

TEST(Zernike, FirstMomentsByHand) {
  // One pixel at (5, 3) of 8 x 8: dx = 1.5 / 4, dy = -0.5 / 4. A_11 = 2 / (pi 16) g (dx - i dy), and R_20 = 2
  // rho^2 - 1.
  const auto features = Builtin("zernike", {{"order", "2"}, {"levels", "1"}, {"output", "parts"}})
                            .features(Picture({8, 8}, 1, impulse(5, 3, 160)));
  const double dx = 0.375, dy = -0.125, rho2 = dx * dx + dy * dy, unit = 160 / (M_PI * 16);
  ASSERT_EQ(features.size(), 6u);  // (0,0), (1,1) twice, (2,0), (2,2) twice
  EXPECT_THAT(features,
              Pointwise(FloatNear(1e-5f),
                        std::vector<double>{unit, 2 * unit * dx, -2 * unit * dy, 3 * unit * (2 * rho2 - 1),
                                            3 * unit * (dx * dx - dy * dy), -3 * unit * 2 * dx * dy}));
}

TEST(Zernike, MagnitudesDoNotSeeAQuarterTurn) {
  const Picture picture({28, 28}, 1, textured(3));
  const Picture turned(
      {28, 28}, 1, [&](std::uint32_t x, std::uint32_t y, std::uint32_t) { return picture.gray(y, 27 - x); });
  Builtin magnitude("zernike", {{"order", "12"}, {"levels", "1"}, {"output", "magnitude"}});
  EXPECT_THAT(magnitude.features(turned), Pointwise(FloatNear(2e-3f), magnitude.features(picture)));
  Builtin parts("zernike", {{"order", "12"}, {"levels", "1"}, {"output", "parts"}});
  EXPECT_GT(std::abs(parts.features(turned)[1] - parts.features(picture)[1]), 0.1);
}

TEST(Zernike, GivesTheCoefficientsOfASmoothDisc) {
  // The basis is orthogonal: 100 + 50 x + 40 (x^2 - y^2) over the unit disc is 100 V_00, 25 V_11 and 20 V_22
  // with their conjugates, and nothing else except for the pixels of the rim.
  const auto smooth = [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    const double dx = (x + 0.5 - 64) / 64, dy = (y + 0.5 - 64) / 64;
    return std::uint8_t(std::clamp(std::lround(100 + 50 * dx + 40 * (dx * dx - dy * dy)), 0l, 255l));
  };
  const auto features = Builtin("zernike", {{"order", "3"}, {"levels", "1"}, {"output", "magnitude"}})
                            .features(Picture({128, 128}, 1, smooth));
  EXPECT_THAT(features, Pointwise(FloatNear(0.7f), {100.f, 25.f, 0.f, 20.f, 0.f, 0.f}));
}

TEST(Projections, ByHand) {
  // 3 x 2 pixels, 0 10 0 / 0 10 10: bright above 5.
  const auto features = Builtin("projections").features(Picture({3, 2}, 1, pixels(3, {0, 10, 0, 0, 10, 10})));
  EXPECT_THAT(features, ElementsAre(10, 20,        // rows
                                    0, 20, 10,     // columns
                                    0, 10, 20, 0,  // by x - y: -1, 0, 1, 2
                                    0, 10, 10, 10  // by x + y
                                    ,
                                    2, 1,        // changes along rows
                                    0, 0, 1,     // columns
                                    0, 1, 0, 0,  // (0,0)-(1,1) differ, (1,0)-(2,1) do not
                                    0, 1, 1, 0,  // (1,0)-(0,1) differ, (2,0)-(1,1) differ
                                    1, 1, 1, 0,  // dark before the first bright one from the left, the right
                                    2, 0, 1, 2, 0, 0));  // from the top, the bottom
}

TEST(Projections, EachDirectionAddsUpToTheWhole) {
  const Picture picture({17, 12}, 1, textured(4));
  double whole = 0;
  for (std::uint32_t y = 0; y < 12; ++y)
    for (std::uint32_t x = 0; x < 17; ++x) whole += picture.gray(x, y);
  const auto features = Builtin("projections").features(picture);
  ASSERT_EQ(features.size(), 8u * 29 - 4);
  std::size_t i = 0;
  for (const std::size_t num_lines : {12, 17, 28, 28}) {
    double sum = 0;
    for (std::size_t end = i + num_lines; i < end; ++i) sum += features[i];
    EXPECT_EQ(sum, whole);
  }
}

TEST(Projections, OfAFlatImageHaveNoBrightPixel) {
  const auto features = Builtin("projections").features(Picture({5, 5}, 1, flat(9)));
  EXPECT_THAT(std::vector(features.begin() + 28, features.begin() + 56), Each(0));
  EXPECT_THAT(std::vector(features.begin() + 56, features.end()), Each(5));
}

}  // namespace
}  // namespace mash
