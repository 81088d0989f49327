// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/places.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace mash {
namespace {

TEST(Places, AreAllPixelsOnce) {
  for (const auto& [width, height] : {std::pair(20u, 20u), {3u, 50u}, {1u, 1u}, {8u, 9u}}) {
    std::vector<int> seen(width * height);
    for (const Place& place : places_of({width, height, 1}))
      for (std::uint32_t y = place.y; y < place.y + place.height; ++y)
        for (std::uint32_t x = place.x; x < place.x + place.width; ++x) ++seen.at(y * width + x);
    EXPECT_THAT(seen, ::testing::Each(1)) << width << "x" << height;
  }
  EXPECT_EQ(places_of({20, 20, 1}).size(), 64u);
  EXPECT_EQ(places_of({3, 50, 1}).size(), 24u) << "no place without a pixel";
}

TEST(Places, AreCoveredByTheMeanAroundThem) {
  const ImageShape grey{4, 3, 1};
  std::vector<std::uint8_t> pixels{10, 10, 10, 10,  //
                                   10, 99, 99, 30,  //
                                   20, 20, 20, 20};
  cover({1, 1, 2, 1}, grey, pixels);
  // The frame has ten pixels: five of 10, one of 30, four of 20.
  EXPECT_THAT(pixels, ::testing::ElementsAre(10, 10, 10, 10, 10, 16, 16, 30, 20, 20, 20, 20));
}

TEST(Places, ChannelsAreCoveredByTheirOwnMeans) {
  const ImageShape colour{2, 1, 3};
  std::vector<std::uint8_t> pixels{1, 2, 3, 100, 150, 200};
  cover({0, 0, 1, 1}, colour, pixels);
  EXPECT_THAT(pixels, ::testing::ElementsAre(100, 150, 200, 100, 150, 200));
  cover({0, 0, 2, 1}, colour, pixels);
  EXPECT_THAT(pixels, ::testing::Each(128)) << "there is nothing around the whole picture";
}

}  // namespace
}  // namespace mash
