// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/image_maps.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <thread>
#include <vector>

#include "mash/heuristic.hpp"
#include "tests/extractors/test_image.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

const std::vector<std::uint8_t> kPixels{1, 2, 3,  //
                                        4, 5, 6,  //
                                        7, 8, 255};

TEST(ImageMaps, AreThoseOfTheGreyPlane) {
  const TestImage image(3, 3, 1, kPixels);
  const ImageMaps maps(image.abi());
  const mash_image_maps_t& table = ImageMaps::table();
  const auto* sums = table.integral(&image.abi());
  EXPECT_THAT(std::vector(sums, sums + 16),
              ElementsAre(0, 0, 0, 0, 0, 1, 3, 6, 0, 5, 12, 21, 0, 12, 27, 291));
  const auto* squares = table.integral_of_squares(&image.abi());
  EXPECT_THAT(std::vector(squares + 4, squares + 8), ElementsAre(0, 1, 5, 14));
  EXPECT_EQ(squares[15], 1u + 4 + 9 + 16 + 25 + 36 + 49 + 64 + 255 * 255);
  const auto* gradient = table.gradient(&image.abi());
  EXPECT_THAT(std::vector(gradient, gradient + 18),
              ElementsAreArray({0, 0, 2, 0, 0, 0, 0, 6, 2, 6, 0, 252, 0, 0, 248, 0, 0, 0}));
}

TEST(ImageMaps, AreMadeAnewForOtherSamples) {
  std::vector<std::uint8_t> pixels = kPixels;
  mash_image_t image{};
  image.width = image.height = 3;
  image.gray = {pixels.data(), 3, 1};
  ImageMaps maps(image);
  EXPECT_EQ(ImageMaps::table().integral(&image)[15], 291u);
  pixels[8] = 9;
  maps.forget();
  EXPECT_EQ(ImageMaps::table().integral(&image)[15], 45u);
  EXPECT_EQ(ImageMaps::table().integral_of_squares(&image)[15], 285u);
  EXPECT_EQ(ImageMaps::table().gradient(&image)[11], 6);
}

TEST(ImageMaps, OfAnImageThatTheHostDoesNotKnowThereAreNone) {
  const TestImage known(3, 3, 1, kPixels), unknown(3, 3, 1, kPixels);
  const mash_image_maps_t& table = ImageMaps::table();
  {
    const ImageMaps maps(known.abi());
    EXPECT_EQ(table.integral(&unknown.abi()), nullptr);
    EXPECT_EQ(table.integral_of_squares(&unknown.abi()), nullptr);
    EXPECT_EQ(table.gradient(&unknown.abi()), nullptr);
    std::thread([&] { EXPECT_EQ(table.integral(&known.abi()), nullptr) << "on another thread"; }).join();
    EXPECT_NE(table.integral(&known.abi()), nullptr);
  }
  EXPECT_EQ(table.integral(&known.abi()), nullptr) << "of maps that are gone";
}

// As a heuristic sees them: cut to its view.
TEST(ImageMaps, AreSeenFromTheView) {
  std::vector<std::uint8_t> pixels(7 * 5);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = std::uint8_t(i * i % 251);
  const TestImage image(7, 5, 1, pixels);
  const ImageMaps maps(image.abi());
  const mash_view_t place{2, 1, 4, 3};
  const View view(image.abi(), place, &ImageMaps::table());
  const auto sums = view.integral();
  const auto squares = view.integral_of_squares();
  const auto gradient = view.gradient();
  ASSERT_TRUE(sums && squares && gradient);
  std::uint32_t sum = 0, sum_of_squares = 0;
  for (std::uint32_t y = 0; y < 2; ++y)
    for (std::uint32_t x = 1; x < 4; ++x) {
      sum += view.gray()(x, y);
      sum_of_squares += std::uint32_t(view.gray()(x, y)) * view.gray()(x, y);
    }
  EXPECT_EQ(sums.row(2)[4] - sums.row(2)[1] - sums.row(0)[4] + sums.row(0)[1], sum);
  EXPECT_EQ(squares.row(2)[4] - squares.row(2)[1] - squares.row(0)[4] + squares.row(0)[1], sum_of_squares);
  EXPECT_EQ(gradient.row(1)[2 * 2], view.gray()(3, 1) - view.gray()(1, 1));
  EXPECT_EQ(gradient.row(1)[2 * 2 + 1], view.gray()(2, 2) - view.gray()(2, 0));
  const View alone(image.abi(), place);
  EXPECT_FALSE(alone.integral() || alone.integral_of_squares() || alone.gradient());
}

TEST(ImageMaps, OfSeveralImagesAreKeptApart) {
  const TestImage a(3, 3, 1, kPixels), b(3, 3, 1, std::vector<std::uint8_t>(9, 1));
  auto first = std::make_unique<ImageMaps>(a.abi());
  const ImageMaps second(b.abi());
  EXPECT_EQ(ImageMaps::table().integral(&a.abi())[15], 291u);
  EXPECT_EQ(ImageMaps::table().integral(&b.abi())[15], 9u);
  first.reset();
  EXPECT_EQ(ImageMaps::table().integral(&b.abi())[15], 9u);
}

TEST(ImageMaps, OfATileAreKeptAsManyAsWanted) {
  const TestImage a(3, 3, 1, kPixels), b(3, 3, 1, std::vector<std::uint8_t>(9, 1));
  const mash_image_t images[] = {a.abi(), b.abi()};
  const mash_image_maps_t& table = ImageMaps::table();
  {
    const ImageMaps all(images, 2);
    const auto* first = table.integral(&images[0]);
    EXPECT_EQ(table.integral(&images[1])[15], 9u);
    EXPECT_EQ(table.integral(&images[0]), first);
    EXPECT_EQ(first[15], 291u) << "still there";
  }
  const ImageMaps one(images, 1);
  EXPECT_EQ(table.integral(&images[0])[15], 291u);
  EXPECT_EQ(table.integral(&images[1])[15], 9u);
  EXPECT_EQ(table.integral(&images[0])[15], 291u) << "made again";
  EXPECT_EQ(table.integral(&images[0] + 2), nullptr);
}

}  // namespace
}  // namespace mash
