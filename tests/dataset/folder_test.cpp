// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"
#include "tests/dataset/pictures.hpp"
#include "tests/dataset/watched_reading.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::load;
using testing::picture;
using testing::TemporaryFolder;

const cv::Scalar kFill(10, 20, 30);  // red 30, green 20, blue 10

Result<Dataset> load_folder(const TemporaryFolder& folder, const char* channels = "auto") {
  return load("folder", {{"path", folder.path().string()}, {"channels", channels}});
}

// train/{cat,dog}, two images each, and test/{cat,dog}, one each.
struct Pets {
  Pets() {
    for (const char* name : {"train/cat/1.png", "train/cat/2.png", "train/dog/1.png", "train/dog/2.png",
                             "test/cat/1.png", "test/dog/1.png"})
      folder.write(name, picture(".png", 4, 3, kFill));
  }
  TemporaryFolder folder;
};

TEST(ImageFolder, ReadsBothSides) {
  const Pets pets;
  const auto dataset = load_folder(pets.folder);
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ::testing::ElementsAre("cat", "dog"));
  EXPECT_EQ(dataset->shape, (ImageShape{4, 3, 3}));
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(0, 1, 0, 1));  // the classes take turns
  EXPECT_EQ(dataset->test.num_examples, 2u);
  EXPECT_EQ(dataset->sources.size(), 6u);
  EXPECT_TRUE(dataset->warnings.empty());
}

TEST(ImageFolder, IsReadOnTheGivenThreadAloneAndStopsSoon) {
  const TemporaryFolder folder;
  for (int i = 0; i < 1200; ++i)
    folder.write(fmt::format("{}/{}.png", i % 2 == 0 ? "a" : "b", i), picture(".png", 4, 3, kFill));
  Settings settings;
  settings.add("path", folder.path().string(), "test.yaml:1");
  testing::expect_given_thread_alone("folder", settings);
  testing::expect_stops_soon("folder", settings);
}

TEST(ImageFolder, DividesAFolderOfClasses) {
  const TemporaryFolder folder;
  for (const char* name : {"a/1.png", "a/2.png", "a/3.png", "b/1.PNG", "b/2.png", "b/3.png"})
    folder.write(name, picture(".png", 4, 3, kFill));
  folder.write("README.md", "beside the classes");
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"train", "4"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(0, 1));
}

TEST(ImageFolder, IsGreyWhenAllImagesAre) {
  const TemporaryFolder folder;
  folder.write("a/1.png", picture(".png", 4, 3, cv::Scalar(7), CV_8UC1));
  folder.write("b/1.png", picture(".png", 4, 3, cv::Scalar(9), CV_8UC1));
  const auto grey = load_folder(folder);
  ASSERT_LOADS(grey);
  EXPECT_EQ(grey->shape, (ImageShape{4, 3, 1}));
  EXPECT_EQ(grey->train.pixels, PixelArray(12, grey->train.labels[0] == 0 ? 7 : 9));
  const auto colour = load_folder(folder, "3");
  ASSERT_LOADS(colour);
  EXPECT_EQ(colour->train.pixels.size(), 36u);
}

TEST(ImageFolder, TurnsColourGreyWhenAsked) {
  const Pets pets;
  const auto dataset = load_folder(pets.folder, "1");
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape.num_channels, 1u);
  EXPECT_EQ(dataset->train.pixels, PixelArray(48, 22));  // 0.299 30 + 0.587 20 + 0.114 10 = 21.85
}

TEST(ImageFolder, WarnsOfAClassThatTestingLacksAndOfOtherFiles) {
  const Pets pets;
  std::filesystem::remove_all(pets.folder.path() / "test/dog");
  pets.folder.write("train/cat/notes.txt", "x");
  const auto dataset = load_folder(pets.folder);
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->warnings, ::testing::UnorderedElementsAre(
                                     "class 'dog' has no test examples",
                                     ::testing::HasSubstr("1 file that is no picture left out: 1 .txt")));
}

TEST(ImageFolder, RefusesMixedSizes) {
  const Pets pets;
  pets.folder.write("test/dog/1.png", picture(".png", 3, 4, kFill));
  expect_input_error(load_folder(pets.folder),
                     {"test/dog/1.png", "3x4", "expected all to be 4x3", "resize: 64"});
}

TEST(ImageFolder, RefusesAnUnreadableImage) {
  const Pets pets;
  pets.folder.write("train/dog/2.png", "not a picture");
  expect_input_error(load_folder(pets.folder),
                     {"train/dog/2.png", "no picture", "'not a pictur'", "skip_broken: true"});
  pets.folder.write("train/dog/1.png", "");
  expect_input_error(load_folder(pets.folder), {"train/dog/1.png", "empty"});
}

TEST(ImageFolder, RefusesAnEmptyClassFolder) {
  const Pets pets;
  std::filesystem::create_directory(pets.folder.path() / "train/fish");
  expect_input_error(load_folder(pets.folder), {"train/fish", "no images"});
}

TEST(ImageFolder, SaysHowManyCannotBeRead) {
  const Pets pets;
  for (const char* name : {"train/cat/2.png", "train/dog/1.png", "train/dog/2.png"})
    pets.folder.write(name, "");
  expect_input_error(load_folder(pets.folder), {"train/dog/1.png", "empty", "2 more pictures"});
}

TEST(ImageFolder, ListsTheSizesThatItFinds) {
  const Pets pets;
  pets.folder.write("train/cat/2.png", picture(".png", 5, 6, kFill));
  pets.folder.write("train/dog/1.png", picture(".png", 3, 4, kFill));
  pets.folder.write("train/dog/2.png", picture(".png", 5, 6, kFill));
  expect_input_error(load_folder(pets.folder), {"3 sizes", "3x4 (1 picture, such as", "train/dog/1.png",
                                                "4x3 (1 picture, such as", "5x6 (2 pictures, such as"});
}

TEST(ImageFolder, BringsPicturesToOneSize) {
  const Pets pets;
  pets.folder.write("train/cat/2.png", picture(".png", 50, 60, kFill));
  pets.folder.write("test/dog/1.jpg", picture(".png", 1, 1, kFill));
  const auto square = load("folder", {{"path", pets.folder.path().string()}, {"resize", "8"}});
  ASSERT_LOADS(square);
  EXPECT_EQ(square->shape, (ImageShape{8, 8, 3, 1, ResizeMode::kStretch}));
  EXPECT_EQ(square->test.num_examples, 3u);
  PixelArray expected;
  for (int i = 0; i < 4 * 64; ++i) expected.insert(expected.end(), {30, 20, 10});
  EXPECT_EQ(square->train.pixels, expected) << "one colour stays one, whatever the size";
  const auto wide = load("folder", {{"path", pets.folder.path().string()},
                                    {"resize.width", "6"},
                                    {"resize.height", "2"},
                                    {"resize.mode", "fit"},
                                    {"channels", "grey"}});
  ASSERT_LOADS(wide);
  EXPECT_EQ(wide->shape, (ImageShape{6, 2, 1, 1, ResizeMode::kFit}));
}

TEST(ImageFolder, LeavesOutBrokenPicturesWhenAsked) {
  const Pets pets;
  pets.folder.write("train/cat/1.png", "");
  pets.folder.write("test/dog/1.png", "nothing");
  const auto dataset = load("folder", {{"path", pets.folder.path().string()}, {"skip_broken", "true"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(1, 0, 1));
  EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(0));
  EXPECT_EQ(dataset->train.pixels.size(), 3u * 4 * 3 * 3);
  EXPECT_EQ(dataset->sources.size(), 4u);
  ASSERT_EQ(dataset->warnings.size(), 4u);
  EXPECT_THAT(dataset->warnings[0], ::testing::HasSubstr("2 pictures were left out"));
  EXPECT_THAT(dataset->warnings[1], ::testing::HasSubstr("train/cat/1.png"));
  EXPECT_THAT(dataset->warnings[2], ::testing::HasSubstr("test/dog/1.png"));
}

TEST(ImageFolder, SaysWhenNoneCanBeRead) {
  const TemporaryFolder folder;
  folder.write("a/1.png", "");
  folder.write("b/1.png", "");
  expect_input_error(load("folder", {{"path", folder.path().string()}, {"skip_broken", "true"}}),
                     {"a/1.png", "empty", "1 more picture"});
}

TEST(ImageFolder, TakesTheClassFromTheName) {
  const TemporaryFolder folder;
  for (const char* name : {"obj1__0.png", "obj1__5.png", "obj10__0.png", "obj10__5.png", "obj2__0.png"})
    folder.write(name, picture(".png", 4, 3, kFill));
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"test", "1"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ::testing::ElementsAre("obj1", "obj10", "obj2"));
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(0, 1, 2, 0));
}

TEST(ImageFolder, HasItsFoldersNameOrATitle) {
  const TemporaryFolder folder;
  folder.write("flowers/a/1.png", picture(".png", 4, 3, kFill));
  folder.write("flowers/b/1.png", picture(".png", 4, 3, kFill));
  EXPECT_EQ(load("folder", {{"path", folder.path() / "flowers"}})->name, "flowers");
  EXPECT_EQ(load("folder", {{"path", folder.path().string() + "/flowers/"}})->name, "flowers");
  EXPECT_EQ(load("folder", {{"path", folder.path() / "flowers"}, {"title", "Flowers 17"}})->name,
            "Flowers 17");
}

TEST(ImageFolder, ReadsAList) {
  const TemporaryFolder folder;
  for (const char* name : {"1.png", "2.png", "deep/3.png"}) folder.write(name, picture(".png", 4, 3, kFill));
  const std::string list = folder.write("list.txt", "1.png 10 train\n2.png 9 train\ndeep/3.png 9 test\n");
  for (const auto& dataset : {load("folder", {{"list", list}}),
                              load("folder", {{"path", folder.path().string()}, {"list", "list.txt"}})}) {
    ASSERT_LOADS(dataset);
    EXPECT_THAT(dataset->class_names, ::testing::ElementsAre("9", "10"));
    EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(1, 0));
    EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(0));
    EXPECT_EQ(dataset->sources.size(), 4u) << "the list and its pictures";
  }
  EXPECT_EQ(load("folder", {{"list", list}})->name, "list");
}

TEST(ImageFolder, RefusesAFolderWithoutClasses) {
  const TemporaryFolder folder;
  folder.write("1.png", picture(".png", 4, 3, kFill));
  expect_input_error(load_folder(folder),
                     {folder.path().string(), "no class folders", "1.png", "list: FILE"});
}

TEST(ImageFolder, RefusesOtherChannels) {
  const Pets pets;
  expect_input_error(load_folder(pets.folder, "2"),
                     {"test.yaml:1", "channels", "'2'", "auto, grey, rgb, 1, 3"});
}

// Grey pictures of one value each.
std::string grey_picture(int value) { return picture(".png", 2, 2, cv::Scalar(value), CV_8UC1); }

// The first pixel of each example.
std::vector<int> folder_values(const Split& split) {
  std::vector<int> values;
  for (std::size_t n = 0; n < split.num_examples; ++n) values.push_back(split.pixels[4 * n]);
  return values;
}
std::vector<std::pair<int, int>> frames_of(const Split& split) {
  std::vector<std::pair<int, int>> frames;
  for (const Frame& frame : split.frames) frames.emplace_back(frame.place, frame.camera);
  return frames;
}

TEST(Films, AreInTheOrderOfTheirNumbers) {
  const TemporaryFolder folder;
  for (const int number : {2, 10, 1})
    folder.write(fmt::format("walk/x/f{}.png", number), grey_picture(number));
  folder.write("walk/y/0007.png", grey_picture(7));
  folder.write("wave/b/shot 3 (4).png", grey_picture(34));
  folder.write("wave/b/shot 3 (5).png", grey_picture(35));
  folder.write("wave/c/1.png", grey_picture(90));
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"train", "5"}, {"films", "true"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(folder_values(dataset->train), ::testing::ElementsAre(1, 2, 10, 34, 35));
  EXPECT_THAT(frames_of(dataset->train),
              ::testing::ElementsAre(std::pair(0, 0), std::pair(1, 0), std::pair(2, 0), std::pair(0, 0),
                                     std::pair(1, 0)));
  EXPECT_THAT(dataset->train.groups, ::testing::ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(folder_values(dataset->test), ::testing::ElementsAre(7, 90))
      << "the films of the classes take turns";
  EXPECT_EQ(dataset->shape.num_cameras, 1u);
  EXPECT_EQ(num_sequences(*dataset), 4u);
}

TEST(Films, OfSeveralCamerasTakeTurns) {
  const TemporaryFolder folder;
  for (const char* film : {"train/walk/a", "train/wave/b", "test/walk/c", "test/wave/d"})
    for (const char* camera : {"left", "right"})
      for (const int number : {1, 2})
        folder.write(fmt::format("{}/{}/{}.png", film, camera, number),
                     grey_picture(10 * number + (camera[0] == 'r')));
  const auto dataset = load_folder(folder);
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape.num_cameras, 2u);
  EXPECT_THAT(folder_values(dataset->test), ::testing::ElementsAre(10, 11, 20, 21, 10, 11, 20, 21));
  EXPECT_THAT(frames_of(dataset->test),
              ::testing::ElementsAre(std::pair(0, 0), std::pair(1, 1), std::pair(2, 0), std::pair(3, 1),
                                     std::pair(0, 0), std::pair(1, 1), std::pair(2, 0), std::pair(3, 1)));
}

TEST(Films, AreAnotherDataSetThanTheirPicturesAlone) {
  const TemporaryFolder films, pictures;
  for (const char* name : {"a", "b"})
    for (const int number : {1, 2}) {
      films.write(fmt::format("{}/film/{}.png", name, number), grey_picture(number));
      pictures.write(fmt::format("{}/{}.png", name, number), grey_picture(number));
    }
  const auto path_of = [](const TemporaryFolder& folder) { return folder.path().string(); };
  const auto a = load("folder", {{"path", path_of(films)}, {"train", "2"}, {"films", "true"}}),
             b = load("folder", {{"path", path_of(pictures)}, {"train", "2"}});
  ASSERT_LOADS(a);
  ASSERT_LOADS(b);
  EXPECT_NE(a->fingerprint, b->fingerprint);
}

TEST(Films, WhatIsNoneIsRefused) {
  const struct {
    std::vector<std::string> files;
    std::vector<std::string> words;
  } cases[] = {
      {{"a/x/1.png", "a/x/front.png"}, {"a/x/front.png", "no number"}},
      {{"a/x/1.png", "a/x/01.png"}, {"a/x/1.png", "frame 1 once more", "01.png"}},
      {{"a/x/1.png", "a/x/left/1.png"}, {"a/x: found both"}},
      {{"a/x/1.png", "a/y/notes.txt"}, {"a/y: found neither"}},
      {{"a/x/1.png", "a/y/left/1.png"}, {"a/y: found the cameras left", "expected one camera", "a/x"}},
      {{"a/x/left/1.png", "a/x/right/1.png", "b/y/left/1.png", "b/y/up/1.png"},
       {"b/y: found the cameras left, up", "expected the cameras left, right", "a/x"}},
      {{"a/x/left/1.png", "a/x/left/2.png", "a/x/right/1.png"},
       {"a/x/right: found no frame 2", "left/2.png"}},
      {{"a/x/left/1.png", "a/x/right/1.png", "a/x/right/3.png"}, {"a/x/left: found no frame 3"}},
      {{"a/x/left/1.png", "a/x/right/notes.txt"}, {"a/x/right: found no images"}},
      {{"a/x/99999999999999999999.png"}, {"99999999999999999999.png", "no number"}},
  };
  for (const auto& one : cases) {
    const TemporaryFolder folder;
    for (const std::string& file : one.files)
      folder.write(file, file.ends_with(".txt") ? "text" : grey_picture(1));
    SCOPED_TRACE(one.files.back());
    const auto dataset = load("folder", {{"path", folder.path().string()}, {"films", "true"}});
    ASSERT_FALSE(dataset.ok());
    EXPECT_EQ(dataset.error().kind, ErrorKind::kInput);
    for (const std::string& word : one.words)
      EXPECT_THAT(dataset.error().message, ::testing::HasSubstr(word));
  }
}

}  // namespace
}  // namespace mash
