// SPDX-License-Identifier: Apache-2.0
#include "framework/families/tile_walk.hpp"

#include <gmock/gmock.h>

#include "tests/support/film.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using Bounds = std::pair<std::size_t, std::size_t>;

// The places [first, first + size) of each tile.
std::vector<Bounds> tiles_of(TileWalk& walk) {
  std::vector<Bounds> tiles;
  while (walk.next()) {
    EXPECT_EQ(walk.tile().num_wanted(), walk.size());
    tiles.emplace_back(walk.first(), walk.size());
  }
  EXPECT_FALSE(walk.next()) << "the end is the end";
  return tiles;
}

TEST(TileCapacity, IsOneOfLargeImages) {
  EXPECT_EQ(tile_capacity({28, 28, 1}), 64u);
  EXPECT_EQ(tile_capacity({28, 28, 1}, 0, 16), 16u);
  EXPECT_EQ(tile_capacity({256, 256, 3}), 1u);
  EXPECT_EQ(tile_capacity({16384, 16384, 3}, 0, 16), 1u);
}

TEST(TileCapacity, GrowsWithWhatIsShownOnly) {
  EXPECT_EQ(tile_capacity({28, 28, 1}, 3), 64u);
  EXPECT_EQ(tile_capacity({128, 128, 3}, 49), 392u);
  EXPECT_EQ(tile_capacity({128, 128, 3}, 49, 16), 392u);
  EXPECT_EQ(tile_capacity({1024, 1024, 3}, 49), 21u);
}

TEST(TileWalk, FillsEachTileAndLeavesTheRestToTheLast) {
  const ImageShape shape{3, 2, 1};
  Split split = testing::films({20}, shape, 1);
  split.frames.clear();
  TileWalk some(shape, pictures_of(split, 3, 13), 0, 4);
  EXPECT_THAT(tiles_of(some), ElementsAre(Bounds(0, 4), Bounds(4, 4), Bounds(8, 2)));
  TileWalk none(shape, pictures_of(split, 13, 13), 0, 4);
  EXPECT_THAT(tiles_of(none), ElementsAre());
}

TEST(TileWalk, ShowsThePicturesInTheirOrderWhereverTheyAre) {
  const ImageShape shape{3, 2, 1};
  Split split = testing::films({20}, shape, 1);
  split.frames.clear();
  const std::vector<std::uint32_t> chosen{7, 0, 7, 19, 2};
  TileWalk rows(shape, pictures_of(split, chosen), 0, 3);
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(rows.tile().images[i].gray.origin, split.image(chosen[rows.first() + i], shape).data());
  TileWalk alone(shape, pictures_of(split.pixels, shape), 0, 3);
  std::size_t num_pictures = 0;
  while (alone.next())
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_EQ(alone.tile().images[i].gray.origin, split.image(num_pictures++, shape).data());
  EXPECT_EQ(num_pictures, 20u);
}

TEST(TileWalk, BeginsATileWhereAFilmDoesNotGoOn) {
  const ImageShape shape{3, 2, 1};
  const Split split = testing::films({20, 20}, shape, 1);
  const std::vector<std::uint32_t> chosen{5, 6, 9, 10, 20, 21, 3};
  TileWalk walk(shape, pictures_of(split, chosen), 2, 5);
  std::vector<std::size_t> shown;
  std::vector<Bounds> tiles;
  while (walk.next()) {
    tiles.emplace_back(walk.first(), walk.size());
    shown.push_back(walk.tile().num_shown);
    EXPECT_EQ(walk.tile().num_wanted(), walk.size());
  }
  EXPECT_THAT(tiles, ElementsAre(Bounds(0, 2), Bounds(2, 4), Bounds(6, 1)));
  EXPECT_THAT(shown, ElementsAre(2, 2, 2));
}

}  // namespace
}  // namespace mash
