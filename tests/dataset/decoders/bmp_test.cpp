// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/bmp.hpp"

#include <gmock/gmock.h>

#include <string>

namespace mash {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

std::string number(std::uint32_t value) {
  return {char(value), char(value >> 8), char(value >> 16), char(value >> 24)};
}

// A bitmap of Windows 3 with a palette of black, white and red. compression: 1 or 2, of runs.
std::string bmp_of_runs(std::uint32_t width, std::uint32_t height, char bits, char compression,
                        const std::string& runs) {
  const std::string palette = "\0\0\0\0\xff\xff\xff\0\0\0\xff\0"s;
  const auto begin = std::uint32_t(14 + 40 + palette.size());
  return "BM" + number(0) + number(0) + number(begin) + number(40) + number(width) + number(height) +
         "\1\0"s + bits + '\0' + number(std::uint32_t(compression)) + number(0) + number(0) + number(0) +
         number(3) + number(0) + palette + runs;
}

// The first channel of each pixel and the second, as letters: black, white, red.
std::string letters(const Result<Picture>& picture) {
  if (!picture.ok()) return picture.error().message;
  std::string letters;
  for (std::size_t i = 0; i < picture->pixels.size(); i += 3)
    letters += picture->pixels[i] == 0 ? 'b' : picture->pixels[i + 1] == 0 ? 'r' : 'w';
  return letters;
}

TEST(DecodeBmp, ReadsRunsMovesAndPixelsAsTheyAre) {
  const std::string end = "\0\1"s, line = "\0\0"s;
  // From the bottom: two white, one red; then three as they are, filled up to an even number.
  EXPECT_EQ(letters(decode_bmp(bmp_of_runs(3, 2, 8, 1, "\2\1\1\2"s + line + "\0\3\2\1\0\0"s + end), {})),
            "rwbwwr");
  // A move by one to the right and one up leaves black pixels.
  EXPECT_EQ(letters(decode_bmp(bmp_of_runs(3, 2, 8, 1, "\1\1\0\2\1\1\1\2"s + end), {})), "bbrwbb");
  // Runs of 4 bits alternate between two colours.
  EXPECT_EQ(letters(decode_bmp(bmp_of_runs(5, 1, 4, 2, "\5\x12"s + end), {})), "wrwrw");
}

TEST(DecodeBmp, RefusesDamage) {
  const std::string end = "\0\1"s;
  EXPECT_THAT(letters(decode_bmp(bmp_of_runs(3, 2, 8, 1, "\2\1"s), {})), HasSubstr("runs end too early"));
  EXPECT_THAT(letters(decode_bmp(bmp_of_runs(3, 2, 8, 1, "\4\1"s + end), {})),
              HasSubstr("out of the picture"));
  EXPECT_THAT(letters(decode_bmp(bmp_of_runs(3, 2, 8, 1, "\3\3"s + end), {})),
              HasSubstr("colour 3 of a palette of 3"));
  EXPECT_THAT(letters(decode_bmp(bmp_of_runs(3, 2, 8, 0, "\1\1\1\1"s), {})), HasSubstr("ends in row 2 of 2"));
  EXPECT_THAT(letters(decode_bmp(bmp_of_runs(3, 2, 7, 0, ""), {})), HasSubstr("7 bits a pixel"));
  const std::string whole = bmp_of_runs(3, 2, 8, 1, "\3\1\0\0\3\1"s + end);
  ASSERT_EQ(letters(decode_bmp(whole, {})), "wwwwww");
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_FALSE(decode_bmp(whole.substr(0, size), {}).ok()) << size;
}

TEST(DecodeBmp, IsGreyWhereItsPaletteIs) {
  std::string file = bmp_of_runs(1, 1, 8, 1, "\1\1\0\1"s);
  EXPECT_FALSE(decode_bmp(file, {})->is_grey);
  file[14 + 40 + 10] = '\0';  // red becomes black
  EXPECT_TRUE(decode_bmp(file, {})->is_grey);
}

}  // namespace
}  // namespace mash
