// SPDX-License-Identifier: Apache-2.0
//
// hough, edge-distance
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "builtin.hpp"

namespace mash {
namespace {

// Bright where the point lies beyond the line of normal angle `degrees` at `distance` pixels from the centre.
Picture::Sample half_plane(double degrees, double distance, double width, double height) {
  const double cosine = std::cos(degrees * M_PI / 180), sine = std::sin(degrees * M_PI / 180);
  return [=](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    const double from_line = (x - (width - 1) / 2) * cosine + (y - (height - 1) / 2) * sine - distance;
    return std::uint8_t(std::clamp(std::lround(128 + 100 * from_line), 0l, 255l));
  };
}

TEST(Hough, ALineIsThePeak) {
  Builtin hough("hough", {{"angles", "12"}, {"distances", "31"}});
  for (const double degrees : {15., 75., 165., 255., 345.})  // the middles of bins of 30 degrees
    for (const double distance : {-7., 0., 5.}) {
      const auto features = hough.features(Picture({32, 32}, 1, half_plane(degrees, distance, 32, 32)));
      const auto peak = std::size_t(std::max_element(features.begin(), features.end()) - features.begin());
      EXPECT_EQ(peak / 31, std::size_t(degrees / 30)) << degrees << " " << distance;
      // The distances cover |31 cos| + |31 sin|, the middle one is at the centre.
      const double angle = degrees * M_PI / 180,
                   step = 31 * (std::abs(std::cos(angle)) + std::abs(std::sin(angle))) / 30;
      EXPECT_NEAR(double(peak % 31), 15 + distance / step, 0.75) << degrees << " " << distance;
    }
}

TEST(Hough, EveryGradientVotesOnce) {
  // Two pixels beside the edge have a gradient of 100 in each of eight rows.
  const auto edge = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x < 4 ? 0 : 100);
  };
  for (const char* orientation : {"unsigned", "signed"}) {
    const auto features = Builtin("hough", {{"orientation", orientation}}).features(Picture({8, 8}, 1, edge));
    EXPECT_NEAR(std::accumulate(features.begin(), features.end(), 0.), 8 * 2 * 100, 1e-2);
  }
}

TEST(Hough, UnsignedDoesNotSeeAnInvertedImage) {
  const Picture picture({20, 14}, 1, textured(1));
  const Picture inverted({20, 14}, 1, [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(255 - picture.gray(x, y));
  });
  Builtin any("hough", {{"orientation", "unsigned"}}), directed("hough");
  EXPECT_THAT(any.features(inverted),
              ::testing::Pointwise(::testing::FloatNear(0.05f), any.features(picture)));
  EXPECT_NE(directed.features(inverted), directed.features(picture));
}

struct Point {
  int x, y;
};

// The edge pixels of each of four orientations, found again from the definition.
std::vector<std::vector<Point>> edges_of(const Picture& picture, double threshold) {
  const int width = int(picture.size().width), height = int(picture.size().height);
  const auto gray = [&](int x, int y) {
    return int(picture.gray(std::uint32_t(std::clamp(x, 0, width - 1)),
                            std::uint32_t(std::clamp(y, 0, height - 1))));
  };
  const auto dx = [&](int x, int y) {
    return gray(x + 1, y - 1) + 2 * gray(x + 1, y) + gray(x + 1, y + 1) - gray(x - 1, y - 1) -
           2 * gray(x - 1, y) - gray(x - 1, y + 1);
  };
  const auto dy = [&](int x, int y) {
    return gray(x - 1, y + 1) + 2 * gray(x, y + 1) + gray(x + 1, y + 1) - gray(x - 1, y - 1) -
           2 * gray(x, y - 1) - gray(x + 1, y - 1);
  };
  const auto square = [&](int x, int y) {
    const bool is_inside = x >= 0 && y >= 0 && x < width && y < height;
    return is_inside ? dx(x, y) * dx(x, y) + dy(x, y) * dy(x, y) : 0;
  };
  int largest = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) largest = std::max(largest, square(x, y));
  std::vector<std::vector<Point>> edges(4);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      if (square(x, y) < std::max(threshold * threshold * largest, 64. * 64)) continue;
      const int octant = int(std::lround(std::atan2(dy(x, y), dx(x, y)) * 4 / M_PI)) & 3;
      const Point along[] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
      const Point step = along[octant];
      if (square(x, y) > square(x - step.x, y - step.y) && square(x, y) >= square(x + step.x, y + step.y))
        edges[std::size_t(octant)].push_back({x, y});
    }
  return edges;
}

TEST(EdgeDistance, AgreesWithBruteForce) {
  for (const mash_size_t size : {mash_size_t{28, 28}, mash_size_t{13, 22}, mash_size_t{9, 5}}) {
    const Picture picture(size, 1, textured(2));
    const auto edges = edges_of(picture, 0.2);
    const auto features = Builtin("edge-distance", {{"step", "3"}}).features(picture);
    std::size_t i = 0;
    for (const auto& same : edges)
      for (int y = 0; y < int(size.height); y += 3)
        for (int x = 0; x < int(size.width); x += 3, ++i) {
          double nearest = std::hypot(size.width, size.height);
          for (const Point edge : same) nearest = std::min(nearest, std::hypot(edge.x - x, edge.y - y));
          ASSERT_LT(i, features.size());
          ASSERT_NEAR(features[i], nearest, 1e-4) << x << "," << y;
        }
    EXPECT_EQ(i, features.size());
  }
}

TEST(EdgeDistance, FromAVerticalEdgeByHand) {
  // Both columns beside the step have the same gradient: the first counts. Nothing has another orientation.
  const auto step = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x < 5 ? 0 : 90);
  };
  const auto features = Builtin("edge-distance", {{"step", "2"}}).features(Picture({12, 8}, 1, step));
  ASSERT_EQ(features.size(), 4u * 6 * 4);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(features[i], std::abs(int(i % 6 * 2) - 4)) << i;
  for (std::size_t i = 24; i < 96; ++i) EXPECT_FLOAT_EQ(features[i], std::sqrt(144.f + 64.f)) << i;
}

TEST(EdgeDistance, AFlatImageHasNoEdge) {
  EXPECT_THAT(Builtin("edge-distance").features(Picture({6, 8}, 1, flat(3))), ::testing::Each(10.f));
}

}  // namespace
}  // namespace mash
