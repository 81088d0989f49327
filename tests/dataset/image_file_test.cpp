// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/dataset/data_files.hpp"
#include "tests/dataset/pictures.hpp"

namespace mash {
namespace {

using testing::encoded;
using testing::expect_input_error;
using testing::picture;
using testing::source_of;
using namespace std::string_literals;
using namespace std::string_view_literals;

const cv::Scalar kRotatedFill(10, 20, 30);  // red 30, green 20, blue 10

TEST(DecodeImage, GivesRedGreenBlue) {
  const auto image = decode_image(source_of(picture(".png", 4, 3, kRotatedFill)));
  ASSERT_LOADS(image);
  EXPECT_EQ(image->shape, (ImageShape{4, 3, 3}));
  EXPECT_THAT(std::span(image->pixels).first(3), ::testing::ElementsAre(30, 20, 10));
  EXPECT_FALSE(image->is_grey);
}

TEST(DecodeImage, DropsAlpha) {
  const auto alpha = decode_image(source_of(picture(".png", 4, 3, cv::Scalar(10, 20, 30, 0), CV_8UC4)));
  ASSERT_LOADS(alpha);
  EXPECT_THAT(std::span(alpha->pixels).first(3), ::testing::ElementsAre(30, 20, 10));
}

TEST(DecodeImage, ScalesSixteenBits) {
  // 255 v / 65535 = v / 257, rounded.
  for (const auto& [level, expected] : {std::pair(0, 0),
                                        {128, 0},
                                        {129, 1},
                                        {0x1234, 18},
                                        {0x8000, 128},
                                        {65406, 254},
                                        {65407, 255},
                                        {65535, 255}})
    for (const char* extension : {".png", ".tif"}) {
      const auto deep = decode_image(source_of(picture(extension, 4, 3, cv::Scalar(level), CV_16UC1)));
      ASSERT_LOADS(deep);
      EXPECT_EQ(deep->pixels[0], expected) << level << extension;
      EXPECT_TRUE(deep->is_grey);
    }
  const auto colour = decode_image(source_of(picture(".png", 4, 3, cv::Scalar(257, 514, 771), CV_16UC3)));
  ASSERT_LOADS(colour);
  EXPECT_THAT(std::span(colour->pixels).first(3), ::testing::ElementsAre(3, 2, 1));
}

// The first pixel of a picture in one of the portable formats.
int first_pixel(const std::string& file) {
  const auto image = decode_image(source_of(file));
  return image.ok() ? image->pixels[0] : -1;
}

TEST(DecodeImage, ScalesTheLevelsOfPortableMaps) {
  EXPECT_EQ(first_pixel("P5 2 1 100\n2\0"s + '\x64'), 128) << "'2' is 50 of 100";
  EXPECT_EQ(first_pixel("P5 2 1 255\n2\0"s), 50);
  EXPECT_EQ(first_pixel("P6 1 1 100 2dd"), 128);
  EXPECT_EQ(first_pixel("P5 2 1 1023\n\x02\0\x03\xff"s), 128) << "512 of 1023";
  EXPECT_EQ(first_pixel("P2 2 1 1023\n512 1023\n"), 128);
  EXPECT_EQ(first_pixel("P2 2 1 100\n100 0\n"), 255);
  EXPECT_EQ(first_pixel("P1 2 1\n1 0\n"), 0) << "1 is black";
}

TEST(DecodeImage, LooksUpPalettesAndGreyWithAlpha) {
  // Written by hand: OpenCV writes no palettes. 1 x 1 pixels; the data of zlib are stored, not packed.
  const auto chunk = [](const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const auto number = [](std::uint32_t value) {
      return std::string{char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
    };
    return number(std::uint32_t(data.size())) + body +
           number(std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()))));
  };
  const auto png = [&](char depth, char kind, const std::string& palette, const std::string& row) {
    std::string packed(100, '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(row.data()),
             row.size());
    packed.resize(size);
    return "\x89PNG\r\n\x1a\n"s + chunk("IHDR", "\0\0\0\1\0\0\0\1"s + depth + kind + "\0\0\0"s) +
           (palette.empty() ? "" : chunk("PLTE", palette)) + chunk("IDAT", packed) + chunk("IEND", "");
  };
  const auto indexed = decode_image(source_of(png(8, 3, "\x01\x02\x03\x0a\x14\x1e", "\0\1"s)));
  ASSERT_LOADS(indexed);
  EXPECT_THAT(indexed->pixels, ::testing::ElementsAre(10, 20, 30));
  const auto grey_alpha = decode_image(source_of(png(8, 4, "", "\0\x46\x0a"s)));
  ASSERT_LOADS(grey_alpha);
  EXPECT_THAT(grey_alpha->pixels, ::testing::ElementsAre(70, 70, 70));
  EXPECT_TRUE(grey_alpha->is_grey);
}

TEST(DecodeImage, TurnsPicturesAsTheirExifDataSay) {
  cv::Mat wide(8, 16, CV_8UC3, cv::Scalar(0, 0, 0));
  wide(cv::Rect(0, 0, 8, 8)) = cv::Scalar(255, 255, 255);
  std::string jpeg = encoded(".jpg", wide);
  // Behind the start marker an APP1 segment with one TIFF entry: orientation 6, to be turned right.
  const std::string exif = "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"s;
  const std::string marker = {'\xff', '\xe1', '\0', char(exif.size() + 2)};
  jpeg.insert(2, exif);
  jpeg.insert(2, marker);
  const auto image = decode_image(source_of(jpeg));
  ASSERT_LOADS(image);
  EXPECT_EQ(image->shape, (ImageShape{8, 16, 3}));
  EXPECT_GT(image->pixels.front(), 200) << "what was left is on top";
  EXPECT_LT(image->pixels.back(), 50);
}

TEST(DecodeImage, ReadsEveryFormat) {
  for (const char* extension : {".png", ".bmp", ".ppm", ".tif"}) {
    const auto image = decode_image(source_of(picture(extension, 5, 4, kRotatedFill)));
    ASSERT_LOADS(image);
    EXPECT_THAT(std::span(image->pixels).last(3), ::testing::ElementsAre(30, 20, 10)) << extension;
  }
  const auto jpeg = decode_image(source_of(picture(".jpg", 16, 16, kRotatedFill)));
  ASSERT_LOADS(jpeg);
  EXPECT_NEAR(jpeg->pixels[0], 30, 3);
}

TEST(DecodeImage, RefusesTruncatedPictures) {
  cv::Mat noise(32, 32, CV_8UC3);
  cv::theRNG().state = 1;
  cv::randu(noise, 0, 256);
  for (const char* extension : {".png", ".jpg", ".bmp", ".ppm"}) {
    const std::string whole = encoded(extension, noise);
    for (const std::size_t part : {1, 5, 9})
      expect_input_error(decode_image(source_of(whole.substr(0, whole.size() * part / 10))),
                         {"made-up", "truncated"});
  }
}

TEST(DecodeImage, RefusesWhatIsNoPicture) {
  expect_input_error(decode_image(source_of("just some text")), {"made-up", "'just some te'", "no picture"});
  expect_input_error(decode_image(source_of("GIF89a\x01\0\x01\0"s)), {"made-up", "'GIF89a", "no picture"});
  expect_input_error(decode_image(source_of("x")), {"made-up", "no picture"});
}

TEST(DecodeImage, RefusesAGiantBeforeItDecodes) {
  std::string png = picture(".png", 4, 3, kRotatedFill);
  png.replace(16, 8, "\0\0\x75\x30\0\0\x75\x30"s);
  const uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(png.data() + 12), 17);
  for (std::size_t i = 0; i < 4; ++i) png[29 + i] = char(checksum >> (24 - 8 * i));
  expect_input_error(decode_image(source_of(png)), {"made-up", "30000x30000", "16384"});
  png.replace(16, 8, "\x7f\xff\xff\xff\0\0\0\x01"s);
  const uLong widest = crc32(0, reinterpret_cast<const Bytef*>(png.data() + 12), 17);
  for (std::size_t i = 0; i < 4; ++i) png[29 + i] = char(widest >> (24 - 8 * i));
  rusage before{}, after{};  // libpng would take memory for a row
  ::getrusage(RUSAGE_SELF, &before);
  expect_input_error(decode_image(source_of(png)), {"made-up", "2147483647x1", "16384"});
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // kilobytes
  std::string bmp = picture(".bmp", 4, 3, kRotatedFill);
  bmp.replace(18, 8, "\x30\x75\0\0\xd0\x8a\xff\xff"s);  // the second is -30000
  expect_input_error(decode_image(source_of(bmp)), {"made-up", "30000x30000", "16384"});
  expect_input_error(decode_image(source_of("P6 # a comment\n 30000\n30000 255\n")),
                     {"made-up", "30000x30000", "16384"});
  std::string jpeg = picture(".jpg", 4, 3, kRotatedFill);
  const std::size_t frame = jpeg.find("\xff\xc0"sv);
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\x75\x30\x75\x30");
  expect_input_error(decode_image(source_of(jpeg)), {"made-up", "30000x30000", "16384"});
  for (const std::string_view marker : {"\xff\x01"sv, "\xff\xd0"sv}) {  // of no length
    std::string with_marker = jpeg;
    with_marker.insert(2, marker);
    expect_input_error(decode_image(source_of(with_marker)), {"made-up", "30000x30000", "16384"});
  }
  std::string astray = jpeg;
  astray.insert(2, "\xff\xe0\xff\xff"sv);  // a segment that is longer than the file
  expect_input_error(decode_image(source_of(astray)), {"made-up"});
}

TEST(ToGrey, WeighsTheChannels) {
  std::vector<std::uint8_t> pixels{255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 77, 77, 77};
  to_grey(pixels, std::span(pixels).first(5));  // in place
  EXPECT_THAT(std::span(pixels).first(5), ::testing::ElementsAre(255, 76, 150, 29, 77));
}

}  // namespace
}  // namespace mash
