// SPDX-License-Identifier: Apache-2.0
//
// identity, grayscale, lbp, ilbp
#include <gmock/gmock.h>

#include "builtin.hpp"

namespace mash {
namespace {

using testing::ElementsAre;

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
  EXPECT_THAT(Builtin("ilbp").features(Picture({8, 8}, 1, flat(77))), testing::Each(511));
}

}  // namespace
}  // namespace mash
