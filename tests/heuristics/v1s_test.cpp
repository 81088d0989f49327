// SPDX-License-Identifier: Apache-2.0
//
// v1s
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "builtin.hpp"

namespace mash {
namespace {

// Planes of doubles that are 0 outside the view.
struct DoublePlane {
  int width, height;
  std::vector<double> values = std::vector<double>(std::size_t(width * height), 0.0);

  double operator()(int x, int y) const {
    return x < 0 || y < 0 || x >= width || y >= height ? 0 : values[std::size_t(y * width + x)];
  }
  double& at(int x, int y) { return values[std::size_t(y * width + x)]; }
};

DoublePlane normalised_input(const Picture& picture) {
  const int width = int(picture.size().width), height = int(picture.size().height);
  DoublePlane plane{width, height};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::vector<double> patch;
      for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u)
          patch.push_back(picture.gray(std::uint32_t(std::clamp(u, 0, width - 1)),
                                       std::uint32_t(std::clamp(v, 0, height - 1))));
      double mean = 0, squares = 0;
      for (const double value : patch) mean += value / 9;
      for (const double value : patch) squares += (value - mean) * (value - mean);
      plane.at(x, y) = (patch[4] - mean) / std::max(std::sqrt(squares), 10.);
    }
  return plane;
}

// One filter as the definition says, in two dimensions.
DoublePlane response(const DoublePlane& input, double angle, double wavelength) {
  const double sigma = 0.56 * wavelength;
  const int radius = int(std::ceil(7 * sigma / 3));
  double sum_squares = 0;  // of the envelope; the mean of cos^2 is 1/2
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x) sum_squares += std::exp(-(x * x + y * y) / (sigma * sigma));
  DoublePlane out{input.width, input.height};
  for (int y = 0; y < input.height; ++y)
    for (int x = 0; x < input.width; ++x) {
      double sum = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
          sum += input(x + dx, y + dy) * std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)) *
                 std::cos(2 * M_PI / wavelength * (dx * std::cos(angle) + dy * std::sin(angle)));
      out.at(x, y) = std::clamp(sum * std::sqrt(2 / sum_squares), 0., 1.);
    }
  return out;
}

std::vector<double> reference(const Picture& picture, int num_orientations, int num_scales, int grid) {
  const DoublePlane input = normalised_input(picture);
  std::vector<DoublePlane> planes;
  for (int s = 0; s < num_scales; ++s)
    for (int o = 0; o < num_orientations; ++o)
      planes.push_back(response(input, M_PI * o / num_orientations, 3 * std::pow(1.5, s)));
  std::vector<double> features;
  for (const DoublePlane& plane : planes)
    for (int cy = 0; cy < grid; ++cy)
      for (int cx = 0; cx < grid; ++cx) {
        const int left = cx * input.width / grid, right = (cx + 1) * input.width / grid,
                  top = cy * input.height / grid, bottom = (cy + 1) * input.height / grid;
        double sum = 0;
        for (int y = top; y < bottom; ++y)
          for (int x = left; x < right; ++x) {
            double squares = 0;
            for (const DoublePlane& other : planes)
              for (int v = y - 1; v <= y + 1; ++v)
                for (int u = x - 1; u <= x + 1; ++u) squares += other(u, v) * other(u, v);
            sum += plane(x, y) / std::max(std::sqrt(squares), 1.);
          }
        features.push_back(sum / ((right - left) * (bottom - top)));
      }
  return features;
}

TEST(V1s, AgreesWithItsDefinition) {
  // An odd and an even number of orientations: with and without one at 90 degrees.
  for (const int num_orientations : {4, 5}) {
    const Picture picture({17, 14}, 1, textured(1));
    const auto features =
        Builtin("v1s", {{"orientations", num_orientations == 4 ? "4" : "5"}, {"scales", "2"}, {"grid", "3"}})
            .features(picture);
    const auto expected = reference(picture, num_orientations, 2, 3);
    ASSERT_EQ(features.size(), expected.size());
    EXPECT_THAT(features, ::testing::Pointwise(::testing::FloatNear(1e-4f), expected)) << num_orientations;
  }
}

TEST(V1s, VerticalStripesExciteTheFirstOrientation) {
  // Stripes three pixels wide from one to the next, as the shortest filter's.
  const auto stripes = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x % 3 == 0 ? 255 : 0);
  };
  const auto lying = [&](std::uint32_t x, std::uint32_t y, std::uint32_t c) { return stripes(y, x, c); };
  Builtin v1s("v1s", {{"scales", "1"}, {"grid", "1"}});
  const auto largest = [&](const Picture& picture) {
    const auto features = v1s.features(picture);
    return std::max_element(features.begin(), features.end()) - features.begin();
  };
  EXPECT_EQ(largest(Picture({30, 30}, 1, stripes)), 0);
  EXPECT_EQ(largest(Picture({30, 30}, 1, lying)), 4);
}

TEST(V1s, BrightnessAndContrastHardlyMatter) {
  const Picture picture({28, 28}, 1, textured(2));
  const Picture paler({28, 28}, 1, [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(60 + picture.gray(x, y) / 2);
  });
  Builtin v1s("v1s");
  EXPECT_THAT(v1s.features(paler), ::testing::Pointwise(::testing::FloatNear(0.1f), v1s.features(picture)));
}

TEST(V1s, AFlatImageIsZero) {
  EXPECT_THAT(Builtin("v1s").features(Picture({28, 28}, 1, flat(99))), ::testing::Each(0.f));
}

}  // namespace
}  // namespace mash
