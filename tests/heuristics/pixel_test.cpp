// SPDX-License-Identifier: Apache-2.0
//
// identity, grayscale, lbp, ilbp, rank
#include <gmock/gmock.h>

#include <algorithm>

#include "builtin.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

std::uint8_t numbered(std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  return std::uint8_t(100 * channel + 10 * y + x);
}

TEST(Identity, GivesTheRedGreenAndBluePlaneRowByRow) {
  EXPECT_THAT(Builtin("identity").features(Picture({3, 2}, 3, numbered)),
              ElementsAre(0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112, 200, 201, 202, 210, 211, 212));
}

TEST(Identity, GivesAGreyImageThreeTimes) {
  EXPECT_THAT(Builtin("identity").features(Picture({2, 1}, 1, pixels(2, {7, 9}))),
              ElementsAre(7, 9, 7, 9, 7, 9));
}

TEST(Grayscale, GivesTheGreyPlane) {
  // (11 * 0 + 16 * 100 + 5 * 200) >> 5 = 81; each step in x adds 1.
  EXPECT_THAT(Builtin("grayscale").features(Picture({2, 2}, 3, numbered)), ElementsAre(81, 82, 91, 92));
}

// The example of Ojala, Pietikainen & Harwood; the neighbours not below 6 are the upper left, left and lower
// ones: bits 3 to 7, counted from the right-hand neighbour against the clock.
const std::vector<int> kOjala = {6, 5, 2, 7, 6, 1, 9, 8, 7};

TEST(Lbp, CodesTheNeighboursNotBelowTheCentre) {
  EXPECT_EQ(Builtin("lbp").features(Picture({3, 3}, 1, pixels(3, kOjala)))[4], 8 + 16 + 32 + 64 + 128);
}

TEST(Lbp, RepeatsTheBorder) {
  // The upper left pixel (6) sees 6 6 5 / 6 . 5 / 7 7 6: below it are the right and upper right one.
  EXPECT_EQ(Builtin("lbp").features(Picture({3, 3}, 1, pixels(3, kOjala)))[0], 255 - 1 - 2);
}

TEST(Lbp, OneBitPerNeighbour) {
  const std::pair<std::uint32_t, std::uint32_t> around[] = {{2, 1}, {2, 0}, {1, 0}, {0, 0},
                                                            {0, 1}, {0, 2}, {1, 2}, {2, 2}};
  Builtin lbp("lbp");
  for (std::uint32_t p = 0; p < 8; ++p) {
    const auto sample = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
      return std::uint8_t(std::pair(x, y) == around[p] ? 9 : x == 1 && y == 1 ? 5 : 4);
    };
    EXPECT_EQ(lbp.features(Picture({3, 3}, 1, sample))[4], float(1u << p));
  }
}

TEST(Lbp, LooksAsFarAsItsRadius) {
  // In a row of 0 1 2 ... the right neighbours at distance 3 are brighter, and rows are alike: all but the
  // left.
  const auto ramp = [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x == 9 ? 0 : x);
  };
  const auto features = Builtin("lbp", {{"radius", "3"}}).features(Picture({12, 12}, 1, ramp));
  EXPECT_EQ(features[12 * 6 + 4], 255 - 8 - 16 - 32);                // 4 sees 1 and 7
  EXPECT_EQ(features[12 * 6 + 6], 255 - 1 - 2 - 8 - 16 - 32 - 128);  // 6 sees 3 and the 0 at x = 9
}

TEST(Ilbp, ComparesWithTheMeanOfNine) {
  // Sum 51, mean 5.67: the pixels 6 7 6 9 8 7 are above it, so bits 3 to 7 and that of the centre.
  EXPECT_EQ(Builtin("ilbp").features(Picture({3, 3}, 1, pixels(3, kOjala)))[4], 256 + 248);
  // Sum 53, mean 5.89: the centre, 5, is now below, which no neighbour's bit tells.
  EXPECT_EQ(Builtin("ilbp").features(Picture({3, 3}, 1, pixels(3, {6, 5, 5, 7, 5, 1, 9, 8, 7})))[4], 248);
}

TEST(Ilbp, AFlatPatchHasAllNineBits) {
  EXPECT_THAT(Builtin("ilbp").features(Picture({8, 8}, 1, flat(77))), ::testing::Each(511));
}

TEST(Rank, DarkerLessBrighterByHand) {
  // Around the 6 in the middle 5 2 1 are darker, 7 9 8 7 brighter, 6 is neither.
  EXPECT_EQ(Builtin("rank", {{"radius", "1"}}).features(Picture({3, 3}, 1, pixels(3, kOjala)))[4], 3 - 4);
  // The upper left 6 sees 6 6 5 / 6 . 5 / 7 7 6.
  EXPECT_EQ(Builtin("rank", {{"radius", "1"}}).features(Picture({3, 3}, 1, pixels(3, kOjala)))[0], 2 - 2);
}

TEST(Rank, AgreesWithCounting) {
  for (const int radius : {2, 5}) {
    const Picture picture({13, 9}, 1, textured(6));
    const auto features = Builtin("rank", {{"radius", radius == 2 ? "2" : "5"}}).features(picture);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 13; ++x) {
        int expected = 0;
        for (int v = y - radius; v <= y + radius; ++v)
          for (int u = x - radius; u <= x + radius; ++u) {
            const int other =
                picture.gray(std::uint32_t(std::clamp(u, 0, 12)), std::uint32_t(std::clamp(v, 0, 8)));
            const int centre = picture.gray(std::uint32_t(x), std::uint32_t(y));
            expected += (other < centre) - (other > centre);
          }
        ASSERT_EQ(features[std::size_t(y * 13 + x)], expected) << x << "," << y;
      }
  }
}

TEST(Rank, ReachesItsLargestValue) {
  // One bright pixel among the 121 of its window; the corner sees only that one differ.
  const auto features = Builtin("rank", {{"radius", "5"}}).features(Picture({11, 11}, 1, impulse(5, 5, 255)));
  EXPECT_EQ(features[60], 120);
  EXPECT_EQ(features[0], -1);
}

TEST(Rank, OnlyTheOrderOfGreyValuesMatters) {
  const Picture picture({16, 16}, 1, textured(7));
  const auto changed = [&](int scale, int shift) {
    return [&picture, scale, shift](std::uint32_t x, std::uint32_t y, std::uint32_t) {
      return std::uint8_t(picture.gray(x, y) / 4 * scale + shift);
    };
  };
  EXPECT_EQ(Builtin("rank").features(Picture({16, 16}, 1, changed(3, 20))),
            Builtin("rank").features(Picture({16, 16}, 1, changed(1, 0))));
}

}  // namespace
}  // namespace mash
