// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/resize.hpp"

#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;

// A grey picture of these values.
DecodedImage grey(std::uint32_t width, const std::vector<std::uint8_t>& values) {
  DecodedImage image{{width, std::uint32_t(values.size() / width), 3}, {}, true};
  for (const std::uint8_t value : values) image.pixels.insert(image.pixels.end(), 3, value);
  return image;
}

std::vector<int> values_of(const DecodedImage& image) {
  std::vector<int> values;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) values.push_back(image.pixels[i]);
  return values;
}

TEST(Resized, TakesTheMeanOfAreas) {
  const DecodedImage image = grey(4, {0, 40, 100, 100,  //
                                      40, 80, 200, 200});
  const DecodedImage half = resized(image, {2, 1, ResizeMode::kStretch});
  EXPECT_EQ(values_of(half), (std::vector<int>{40, 150}));
  EXPECT_EQ(half.shape, (ImageShape{2, 1, 3, 1, ResizeMode::kStretch}));
  EXPECT_TRUE(half.is_grey);
}

TEST(Resized, WeighsPixelsThatAreCut) {
  // Three columns to two: each of the two covers one and a half.
  const DecodedImage image = grey(3, {0, 90, 240});
  EXPECT_EQ(values_of(resized(image, {2, 1, ResizeMode::kStretch})), (std::vector<int>{30, 190}));
}

TEST(Resized, GrowsByCubics) {
  // Keys' cubic with a = -0.75 at a quarter and three quarters between two pixels; the ends are repeated.
  const DecodedImage image = grey(2, {100, 200});
  const auto grown = values_of(resized(image, {4, 1, ResizeMode::kStretch}));
  ASSERT_EQ(grown.size(), 4u);
  EXPECT_EQ(grown[0] + grown[3], 300);
  EXPECT_EQ(grown[1] + grown[2], 300);
  // w(0.25) = 1.25 / 64 - 2.25 / 16 + 1 = 0.87890625, w(1.25) = -0.10546875; the sum of the left two is
  // 0.7734375.
  EXPECT_NEAR(grown[1], 100 * (0.87890625 - 0.10546875) + 200 * (1 - 0.87890625 + 0.10546875), 1);
}

TEST(Resized, MayShrinkOneSideAndGrowTheOther) {
  const DecodedImage image = grey(2, {10, 30, 10, 30});
  const auto made = values_of(resized(image, {1, 4, ResizeMode::kStretch}));
  EXPECT_EQ(made, (std::vector<int>{20, 20, 20, 20}));
}

TEST(Resized, FitsWithinBlack) {
  const DecodedImage image = grey(4, std::vector<std::uint8_t>(8, 50));  // 4 x 2
  EXPECT_EQ(values_of(resized(image, {4, 4, ResizeMode::kFit})),
            (std::vector<int>{0, 0, 0, 0, 50, 50, 50, 50, 50, 50, 50, 50, 0, 0, 0, 0}));
  const auto thin = resized(grey(1, std::vector<std::uint8_t>(1000, 50)), {4, 4, ResizeMode::kFit});
  EXPECT_EQ(std::ranges::count(values_of(thin), 50), 4) << "a column of one pixel at least";
}

TEST(Resized, CropsTheMiddle) {
  const DecodedImage image = grey(4, {1, 2, 3, 4, 1, 2, 3, 4});
  EXPECT_EQ(values_of(resized(image, {2, 2, ResizeMode::kCrop})), (std::vector<int>{2, 3, 2, 3}));
  EXPECT_EQ(resized(grey(1000, std::vector<std::uint8_t>(1000, 9)), {3, 3, ResizeMode::kCrop}).pixels,
            std::vector<std::uint8_t>(27, 9));
}

TEST(Resized, LeavesASizeThatIsRightAlone) {
  const DecodedImage image = grey(2, {1, 2, 3, 4});
  for (const ResizeMode mode : {ResizeMode::kStretch, ResizeMode::kFit, ResizeMode::kCrop})
    EXPECT_EQ(resized(image, {2, 2, mode}).pixels, image.pixels);
}

Result<std::optional<Resize>> read(testing::Pairs pairs) {
  Settings settings;
  for (const auto& [key, value] : pairs) settings.add(key, value, "test.yaml:1");
  return read_resize(settings);
}

TEST(ReadResize, TakesASideOrAMapping) {
  EXPECT_FALSE(read({})->has_value());
  const auto square = **read({{"resize", "64"}});
  EXPECT_EQ(square.width, 64u);
  EXPECT_EQ(square.height, 64u);
  EXPECT_EQ(square.mode, ResizeMode::kStretch);
  const auto wide = **read({{"resize.width", "64"}, {"resize.height", "48"}, {"resize.mode", "crop"}});
  EXPECT_EQ(wide.width, 64u);
  EXPECT_EQ(wide.height, 48u);
  EXPECT_EQ(wide.mode, ResizeMode::kCrop);
  EXPECT_EQ((**read({{"resize.height", "48"}})).width, 48u);
  EXPECT_EQ((**read({{"resize", "64"}, {"resize.mode", "fit"}})).mode, ResizeMode::kFit);
}

TEST(ReadResize, RefusesTheRest) {
  expect_input_error(read({{"resize", "0"}}), {"test.yaml:1", "resize", "0", "4096"});
  expect_input_error(read({{"resize", "big"}}), {"test.yaml:1", "resize", "big"});
  expect_input_error(read({{"resize.width", "5000"}}), {"resize.width", "5000", "4096"});
  expect_input_error(read({{"resize", "8"}, {"resize.mode", "zoom"}}), {"zoom", "stretch, fit, crop"});
  expect_input_error(read({{"resize.mode", "fit"}}), {"resize.mode", "no size"});
  expect_input_error(read({{"resize.width", "8"}, {"resize", "16"}}), {"resize: 16", "expected one of them"});
}

}  // namespace
}  // namespace mash
