// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/formats.hpp"

#include <gmock/gmock.h>

#include <string>

#include "tests/dataset/pictures.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

std::string error_of(const std::string& bytes) {
  const auto picture = decode_picture(bytes, {});
  return picture.ok() ? "" : picture.error().message;
}

// Files that people have among their pictures, by their first bytes.
TEST(DecodePicture, NamesWhatItDoesNotRead) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"GIF89a\1\0\1\0"s, "a GIF"},
      {"\0\0\0\x0cjP  \r\n\x87\n"s, "a JPEG 2000"},
      {"\xff\x4f\xff\x51\0"s, "a JPEG 2000"},
      {"\0\0\0\x18"s + "ftypheic", "a HEIC"},
      {"\0\0\0\x18"s + "ftypheix", "a HEIC"},
      {"\0\0\0\x18"s + "ftypavif", "an AVIF"},
      {"\0\0\0\x18"s + "ftypqt  ", "a film"},
      {"RIFF\0\0\0\0AVI LIST"s, "a film"},
      {"\xff\x0a\0"s, "a JPEG XL"},
      {"8BPS\0\1"s, "a Photoshop document"},
      {"\0\0\1\0\1\0"s, "an icon (ICO)"},
      {"  <svg width='1'/>", "an SVG"},
      {"<?xml version='1.0'?><!-- drawn --><svg/>", "an SVG"},
      {"%PDF-1.4", "a PDF"},
      {"#?RADIANCE\n", "a Radiance HDR"},
      {std::string(128, '\0') + "DICM", "a DICOM"},
      {"\0\5\x16\7\0\2\0\0"s, "AppleDouble"},
      {"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
  };
  for (const auto& [bytes, name] : files) {
    EXPECT_THAT(error_of(bytes), HasSubstr(name));
    EXPECT_THAT(error_of(bytes), HasSubstr("convert it, to PNG for instance"));
  }
}

TEST(DecodePicture, ShowsTheBeginningOfWhatItDoesNotKnow) {
  for (const std::string bytes : {"<html>not found</html>", "P1aying", "x", "II*", "RIFF"}) {
    EXPECT_THAT(error_of(bytes), HasSubstr("found '" + bytes.substr(0, 12) + "' at its beginning"));
    EXPECT_THAT(error_of(bytes), HasSubstr("expected PNG, JPEG"));
  }
}

// A decoder that goes on after damage would give a picture that is half grey.
TEST(DecodePicture, RefusesAJpegOfWhichLibjpegWarns) {
  cv::Mat noise(64, 64, CV_8UC3);
  cv::RNG(1).fill(noise, cv::RNG::UNIFORM, 0, 256);
  const std::string whole = testing::encoded(".jpg", noise);
  ASSERT_EQ(error_of(whole), "");
  const std::size_t middle = whole.size() / 2;
  EXPECT_THAT(error_of(whole.substr(0, middle) + "\xff\xd9"), HasSubstr("premature end of data segment"));
  EXPECT_THAT(error_of(whole.substr(0, middle)), HasSubstr("damaged or truncated (Premature end"));
  EXPECT_THAT(error_of(whole.substr(0, middle) + whole.substr(middle + 300)),
              HasSubstr("damaged or truncated"));
  EXPECT_THAT(error_of(whole.substr(0, whole.size() - 2) + "left over\xff\xd9"),
              HasSubstr("extraneous bytes before marker 0xd9"));
  EXPECT_EQ(error_of(whole + "a film"), "") << "behind its end is no part of it";
}

TEST(DecodePicture, RefusesAPngWithAWrongByteAnywhere) {
  const std::string whole = testing::picture(".png", 4, 3, cv::Scalar(10, 20, 30));
  ASSERT_EQ(error_of(whole), "");
  for (std::size_t i = 8; i < whole.size(); ++i) {
    std::string wrong = whole;
    wrong[i] = char(wrong[i] ^ 4);
    EXPECT_NE(error_of(wrong), "") << i;
  }
}

}  // namespace
}  // namespace mash
