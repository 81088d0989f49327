// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/npy_array.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tests/support/npy_file.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::npy_file;
using namespace std::string_literals;

std::vector<float> values_of_npy(const std::string& bytes) {
  const auto numbers = parse_npy_numbers(bytes);
  EXPECT_TRUE(numbers.ok()) << numbers.error().message;
  return numbers.ok() ? numbers->values : std::vector<float>();
}

std::string refusal_of_npy(const std::string& bytes) {
  const auto numbers = parse_npy_numbers(bytes);
  EXPECT_FALSE(numbers.ok());
  return numbers.ok() ? "" : numbers.error().message;
}

TEST(NpyNumbers, AreReadRowByRow) {
  const auto numbers = parse_npy_numbers(npy_file("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6}));
  ASSERT_TRUE(numbers.ok()) << numbers.error().message;
  EXPECT_EQ(numbers->num_rows, 2u);
  EXPECT_EQ(numbers->num_columns, 3u);
  EXPECT_THAT(numbers->values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(NpyNumbers, OfFortranAreTurned) {
  EXPECT_THAT(values_of_npy(npy_file("<f4", "(2, 3)", std::vector<float>{1, 4, 2, 5, 3, 6}, true)),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(NpyNumbers, OfOneDimensionAreAColumn) {
  const auto numbers = parse_npy_numbers(npy_file("<f8", "(3,)", std::vector<double>{.5, -1, 2}));
  ASSERT_TRUE(numbers.ok()) << numbers.error().message;
  EXPECT_EQ(numbers->num_rows, 3u);
  EXPECT_EQ(numbers->num_columns, 1u);
  EXPECT_THAT(numbers->values, ElementsAre(.5f, -1.f, 2.f));
}

TEST(NpyNumbers, AreOfManyTypes) {
  // 1, -2, 0.333251953125, the largest, the smallest, zero with a sign.
  EXPECT_THAT(values_of_npy(npy_file(
                  "<f2", "(6,)", std::vector<std::uint16_t>{0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x8000})),
              ElementsAre(1.f, -2.f, 0.333251953125f, 65504.f, 5.9604644775390625e-08f, -0.f));
  EXPECT_THAT(values_of_npy(npy_file("|i1", "(2,)", "\x7f\x80"s)), ElementsAre(127, -128));
  EXPECT_THAT(values_of_npy(npy_file("|u1", "(2,)", "\x7f\x80"s)), ElementsAre(127, 128));
  EXPECT_THAT(values_of_npy(npy_file("|b1", "(2,)", "\x01\x00"s)), ElementsAre(1, 0));
  EXPECT_THAT(values_of_npy(npy_file("<i2", "(2,)", std::vector<std::int16_t>{-300, 300})),
              ElementsAre(-300, 300));
  EXPECT_THAT(values_of_npy(npy_file("<u4", "(1,)", std::vector<std::uint32_t>{4000000000u})),
              ElementsAre(4e9f));
  // Rounded once, to the nearest float32.
  EXPECT_THAT(values_of_npy(npy_file("<i8", "(2,)", std::vector<std::int64_t>{(1 << 24) + 1, -5})),
              ElementsAre(float(1 << 24), -5));
  EXPECT_THAT(values_of_npy(npy_file("<f8", "(1,)", std::vector<double>{.1})), ElementsAre(.1f));
}

TEST(NpyNumbers, AreOfEitherByteOrder) {
  EXPECT_THAT(values_of_npy(npy_file(">i4", "(2,)", "\x00\x00\x01\x02\xff\xff\xff\xfe"s)),
              ElementsAre(258, -2));
  EXPECT_THAT(values_of_npy(npy_file(">f4", "(1,)", "\x3f\x80\x00\x00"s)), ElementsAre(1));
}

TEST(NpyNumbers, OfOtherVersionsHaveALongerHeader) {
  const std::string header = "{\"shape\": (1, 2), 'descr': '<f4', 'fortran_order': False}\n",
                    items = npy_file("", "", std::vector<float>{7, 8}).substr(npy_file("", "", ""s).size());
  for (const char version : {'\x02', '\x03'}) {
    std::string file = "\x93NUMPY";
    file += {version, '\x00', char(header.size()), '\x00', '\x00', '\x00'};
    EXPECT_THAT(values_of_npy(file + header + items), ElementsAre(7, 8));
  }
}

TEST(NpyNumbers, ThatAreNotFiniteAreRefusedWithTheirPlace) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal_of_npy(npy_file("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, -kInfinity})),
            "row 1, column 2 (both from 0): found -inf, expected a finite number of float32");
  EXPECT_EQ(
      refusal_of_npy(npy_file(
          "<f4", "(2, 3)", std::vector<float>{1, 2, 3, std::numeric_limits<float>::quiet_NaN(), 5, 6}, true)),
      "row 1, column 1 (both from 0): found nan, expected a finite number of float32");
  EXPECT_EQ(refusal_of_npy(npy_file("<f8", "(1,)", std::vector<double>{1e300})),
            "row 0, column 0 (both from 0): found 1e+300, expected a finite number of float32");
  EXPECT_EQ(refusal_of_npy(npy_file("<f2", "(1,)", std::vector<std::uint16_t>{0x7c00})),
            "row 0, column 0 (both from 0): found inf, expected a finite number of float32");
}

TEST(NpyNumbers, OfOtherShapesAndTypesAreRefused) {
  EXPECT_THAT(refusal_of_npy(npy_file("<f4", "(1, 1, 2)", std::vector<float>{1, 2})),
              HasSubstr("found an array of shape (1, 1, 2), expected a row for each picture"));
  EXPECT_THAT(refusal_of_npy(npy_file("<f4", "()", std::vector<float>{1})),
              HasSubstr("shape (), expected a row"));
  EXPECT_THAT(refusal_of_npy(npy_file("<f4", "(0, 3)", ""s)), HasSubstr("shape (0, 3), expected a row"));
  EXPECT_THAT(refusal_of_npy(npy_file("<c8", "(1,)", std::vector<float>{1, 2})), HasSubstr("the type '<c8'"));
  EXPECT_THAT(refusal_of_npy(npy_file("|O", "(1,)", "x"s)), HasSubstr("the type '|O', expected numbers"));
  EXPECT_THAT(refusal_of_npy(npy_file("<U1", "(1,)", "x\0\0\0"s)),
              HasSubstr("the type '<U1', expected booleans"));
}

TEST(NpyNumbers, OfBrokenFilesAreRefused) {
  const std::string sound = npy_file("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(refusal_of_npy("row,column\n1,2\n"),
            "is no NumPy file: expected one that numpy.save wrote (.npy)");
  EXPECT_THAT(refusal_of_npy(sound.substr(0, sound.size() - 1)), HasSubstr("found 23 bytes of values"));
  EXPECT_THAT(refusal_of_npy(sound + "x"),
              HasSubstr("found 25 bytes of values, expected those of an array of "
                        "shape (2, 3) of <f4"));
  EXPECT_THAT(refusal_of_npy(sound.substr(0, 20)), HasSubstr("byte 20: truncated"));
  std::string other = sound;
  other[6] = '\x09';
  EXPECT_THAT(refusal_of_npy(other), HasSubstr("found version 9 of the NumPy format, expected 1 to 3"));
  EXPECT_THAT(refusal_of_npy(npy_file("<f4", "(99999999999999999999,)", ""s)), HasSubstr("found the header"));
  EXPECT_THAT(refusal_of_npy(npy_file("<f4", "(9223372036854775807, 9223372036854775807)", ""s)),
              HasSubstr("found 0 bytes of values"));
}

TEST(NpyTexts, AreReadAsUtf8) {
  // "a", "äß", "" and a character beyond the first plane, four bytes each.
  std::string items;
  for (const std::uint32_t code : {0x61u, 0u, 0xe4u, 0xdfu, 0u, 0u, 0x1f600u, 0u})
    items.append(reinterpret_cast<const char*>(&code), sizeof code);
  const auto texts = parse_npy_texts(npy_file("<U2", "(4,)", items));
  ASSERT_TRUE(texts.ok()) << texts.error().message;
  EXPECT_THAT(*texts, ElementsAre("a", "äß", "", "😀"));
  const auto bytes = parse_npy_texts(npy_file("|S3", "(2,)", "a\0\0bcd"s));
  ASSERT_TRUE(bytes.ok()) << bytes.error().message;
  EXPECT_THAT(*bytes, ElementsAre("a", "bcd"));
}

TEST(NpyTexts, ThatAreNoneAreRefused) {
  EXPECT_THAT(parse_npy_texts(npy_file("<f4", "(1,)", std::vector<float>{1})).error().message,
              HasSubstr("the type '<f4' in an array of shape (1,), expected a list of texts"));
  EXPECT_THAT(parse_npy_texts(npy_file("|S1", "(1, 1)", "a"s)).error().message, HasSubstr("shape (1, 1)"));
  EXPECT_THAT(parse_npy_texts(npy_file("<U1", "(1,)", "\x00\xd8\x00\x00"s)).error().message,
              HasSubstr("name 0 (from 0): found the character 0xd800, expected Unicode"));
  EXPECT_THAT(parse_npy_texts(npy_file("|S5", "(2,)", "a.pngcaf\xe9\0"s)).error().message,
              HasSubstr("name 1 (from 0)"));
}

}  // namespace
}  // namespace mash
