// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/orientation.hpp"

#include <gmock/gmock.h>

#include <string>

namespace mash {
namespace {

using namespace std::string_literals;

// Three columns and two rows of letters, as grey levels:  a b c
//                                                         d e f
std::string turned(Orientation orientation) {
  Picture picture{3, 2, true, {}};
  for (const char letter : "abcdef"s) picture.pixels.insert(picture.pixels.end(), 3, std::uint8_t(letter));
  turn_upright(picture, orientation);
  std::string rows;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) rows += char(picture.row(y)[3 * x + 2]);
    rows += ' ';
  }
  return rows;
}

TEST(TurnUpright, TurnsAndMirrors) {
  const std::vector<std::string> expected{"abc def ",  "abc def ",  "cba fed ",  "fed cba ", "def abc ",
                                          "ad be cf ", "da eb fc ", "fc eb da ", "cf be ad "};
  for (Orientation orientation = 0; orientation < expected.size(); ++orientation)
    EXPECT_EQ(turned(orientation), expected[orientation]) << orientation;
  EXPECT_EQ(turned(9), "abc def ") << "there are 8";
}

TEST(OrientationIn, FindsItInBothByteOrders) {
  const std::string little = "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"s;
  const std::string big = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x05\0\0\0\0\0\0"s;
  EXPECT_EQ(orientation_in(little), 6u);
  EXPECT_EQ(orientation_in("Exif\0\0"s + little), 6u);
  EXPECT_EQ(orientation_in(big), 5u);
  EXPECT_EQ(orientation_in("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x04\0\0\0\x01\0\0\0\x07\0\0\0\0"s), 7u);
  for (std::size_t size = 0; size < 20; ++size) EXPECT_EQ(orientation_in(little.substr(0, size)), 1u) << size;
  std::string odd = little;
  odd[18] = 9;
  EXPECT_EQ(orientation_in(odd), 1u) << "there are 8";
  std::string astray = little;
  astray[7] = '\x7f';
  EXPECT_EQ(orientation_in(astray), 1u) << "a directory behind the end";
}

}  // namespace
}  // namespace mash
