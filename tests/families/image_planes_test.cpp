// SPDX-License-Identifier: Apache-2.0
#include "framework/families/image_planes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/dataset/endless.hpp"

namespace mash {
namespace {

TEST(ImagePlanes, ShowATileOfColourImages) {
  const ImageShape shape{2, 1, 3};
  ImagePlanes planes(shape, 2, 2);
  const std::vector<std::uint8_t> first{255, 0, 0, 0, 255, 0}, second{0, 0, 255, 255, 255, 255};
  planes.add(first);
  EXPECT_FALSE(planes.is_full());
  planes.add(second);
  EXPECT_TRUE(planes.is_full());
  const ImageTile tile = planes.tile();
  ASSERT_EQ(tile.images.size(), 2u);
  ASSERT_EQ(tile.views.size(), 1u);
  EXPECT_EQ(tile.view_of(1).width, 2u);
  EXPECT_EQ(tile.images[0].gray.origin[0], 11 * 255 / 32);
  EXPECT_EQ(tile.images[0].gray.origin[1], 16 * 255 / 32);
  EXPECT_EQ(tile.images[1].gray.origin[0], 5 * 255 / 32);
  EXPECT_EQ(tile.images[1].gray.origin[1], 255);
  EXPECT_EQ(tile.images[1].red.origin[3], 255);
  EXPECT_EQ(ImageMaps::table().integral(&tile.images[1])[5], 5u * 255 / 32 + 255);
  planes.clear();
  EXPECT_TRUE(planes.tile().images.empty());
  planes.add(second);
  EXPECT_EQ(planes.tile().images.size(), 1u);
  EXPECT_EQ(ImageMaps::table().integral(&planes.tile().images[0])[5], 5u * 255 / 32 + 255)
      << "not of the image that was there before";
}

// Pictures of one colour, by their numbers.
class PlainPictures final : public EndlessExamples {
 public:
  std::uint16_t label(std::uint32_t) const override { return 0; }
  void render(std::uint32_t example_idx, std::span<std::uint8_t> image) const override {
    std::ranges::fill(image, std::uint8_t(example_idx));
  }
};

TEST(ImagePlanes, MakeImagesBehindThoseThatAreHeld) {
  for (const std::uint32_t num_channels : {1u, 3u}) {
    const ImageShape shape{2, 1, num_channels};
    Split split;
    split.num_examples = 2;
    split.pixels.assign(2 * shape.num_bytes(), 200);
    split.labels = {0, 0};
    split.beyond = std::make_shared<const PlainPictures>();
    ImagePlanes planes(shape, 3, 3);
    for (const std::uint32_t first : {5u, 90u}) {
      planes.clear();
      for (const std::uint32_t n : {1u, first, first + 30}) planes.add(split, n);
      ASSERT_EQ(planes.tile().images.size(), 3u);
      const std::uint32_t expected[] = {200, first, first + 30};
      for (std::size_t i = 0; i < 3; ++i) {
        const mash_image_t& image = planes.tile().images[i];
        EXPECT_EQ(image.gray.origin[1], expected[i]);
        EXPECT_EQ(image.blue.origin[num_channels], expected[i]);
      }
    }
  }
}

}  // namespace
}  // namespace mash
