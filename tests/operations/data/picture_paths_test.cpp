// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/picture_paths.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

TEST(PicturePaths, AFolderStandsForThePicturesBelowIt) {
  const testing::ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path();
  std::filesystem::create_directories(folder / "b.png");  // a folder that is called like a picture
  for (const char* file :
       {"z.jpg", "a.png", "b.png/c.TIF", "notes.txt", "model.json", "._a.png", "Thumbs.db"})
    std::ofstream(folder / file) << "x";
  const auto paths = picture_paths({"first.png", folder, "not-there"}, no_remarks());
  ASSERT_TRUE(paths.ok());
  EXPECT_THAT(*paths, ElementsAre("first.png", folder / "a.png", folder / "b.png/c.TIF", folder / "z.jpg",
                                  "not-there"))
      << "what is no folder is for whoever reads it";
}

TEST(PicturePaths, AFolderWithoutPicturesIsAnError) {
  const testing::ScratchFolder scratch;
  std::ofstream(scratch.path() / "notes.txt") << "x";
  const auto paths = picture_paths({scratch.path()}, no_remarks());
  ASSERT_FALSE(paths.ok());
  EXPECT_EQ(paths.error().kind, ErrorKind::kInput);
  EXPECT_THAT(paths.error().message, ::testing::HasSubstr("found no picture in the folder or below it"));
}

}  // namespace
}  // namespace mash
