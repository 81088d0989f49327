// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "framework/dataset/image_file.hpp"
#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::load;
using testing::source_of;
using testing::TemporaryFolder;

// `fill` in OpenCV's order: blue, green, red, alpha.
std::string picture(const char* extension, int width, int height, const cv::Scalar& fill,
                    int type = CV_8UC3) {
  std::vector<unsigned char> bytes;
  cv::imencode(extension, cv::Mat(height, width, type, fill), bytes);
  return {bytes.begin(), bytes.end()};
}

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

TEST(DecodeImage, GivesRedGreenBlue) {
  const auto image = decode_image(source_of(picture(".png", 4, 3, kFill)));
  ASSERT_LOADS(image);
  EXPECT_EQ(image->shape, (ImageShape{4, 3, 3}));
  EXPECT_THAT(std::span(image->pixels).first(3), ::testing::ElementsAre(30, 20, 10));
  EXPECT_FALSE(image->is_grey);
}

TEST(DecodeImage, DropsAlphaAndTheLowBits) {
  const auto alpha = decode_image(source_of(picture(".png", 4, 3, cv::Scalar(10, 20, 30, 0), CV_8UC4)));
  ASSERT_LOADS(alpha);
  EXPECT_THAT(std::span(alpha->pixels).first(3), ::testing::ElementsAre(30, 20, 10));
  const auto deep = decode_image(source_of(picture(".png", 4, 3, cv::Scalar(0x1234), CV_16UC1)));
  ASSERT_LOADS(deep);
  EXPECT_EQ(deep->pixels[0], 0x12);
  EXPECT_TRUE(deep->is_grey);
}

TEST(DecodeImage, ReadsEveryFormat) {
  for (const char* extension : {".png", ".bmp", ".ppm", ".tif"}) {
    const auto image = decode_image(source_of(picture(extension, 5, 4, kFill)));
    ASSERT_LOADS(image);
    EXPECT_THAT(std::span(image->pixels).last(3), ::testing::ElementsAre(30, 20, 10)) << extension;
  }
  const auto jpeg = decode_image(source_of(picture(".jpg", 16, 16, kFill)));
  ASSERT_LOADS(jpeg);
  EXPECT_NEAR(jpeg->pixels[0], 30, 3);
}

TEST(DecodeImage, RefusesTruncatedPictures) {
  cv::Mat noise(32, 32, CV_8UC3);
  cv::theRNG().state = 1;
  cv::randu(noise, 0, 256);
  for (const char* extension : {".png", ".jpg", ".bmp", ".ppm"}) {
    std::vector<unsigned char> bytes;
    cv::imencode(extension, noise, bytes);
    const std::string whole(bytes.begin(), bytes.end());
    for (const std::size_t part : {1, 5, 9})
      expect_input_error(decode_image(source_of(whole.substr(0, whole.size() * part / 10))), {"made-up"});
  }
}

TEST(DecodeImage, RefusesWhatIsNoPicture) {
  expect_input_error(decode_image(source_of("just some text")), {"made-up", "damaged or no image"});
  std::string forged = picture(".png", 4, 3, kFill);
  forged.replace(16, 4, "\x7f\xff\xff\xff");
  expect_input_error(decode_image(source_of(forged)), {"made-up", "too large", "16384"});
}

TEST(ToGrey, WeighsTheChannels) {
  EXPECT_THAT(to_grey({255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 77, 77, 77}),
              ::testing::ElementsAre(255, 76, 150, 29, 77));
}

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
  EXPECT_EQ(grey->train.pixels, std::vector<std::uint8_t>(12, grey->train.labels[0] == 0 ? 7 : 9));
  const auto colour = load_folder(folder, "3");
  ASSERT_LOADS(colour);
  EXPECT_EQ(colour->train.pixels.size(), 36u);
}

TEST(ImageFolder, TurnsColourGreyWhenAsked) {
  const Pets pets;
  const auto dataset = load_folder(pets.folder, "1");
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape.num_channels, 1u);
  EXPECT_EQ(dataset->train.pixels,
            std::vector<std::uint8_t>(48, 22));  // 0.299 30 + 0.587 20 + 0.114 10 = 21.85
}

TEST(ImageFolder, WarnsOfAClassThatTestingLacksAndOfOtherFiles) {
  const Pets pets;
  std::filesystem::remove_all(pets.folder.path() / "test/dog");
  pets.folder.write("train/cat/notes.txt", "x");
  const auto dataset = load_folder(pets.folder);
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->warnings, ::testing::UnorderedElementsAre("class 'dog' has no test examples",
                                                                 ::testing::HasSubstr("1 entries")));
}

TEST(ImageFolder, RefusesMixedSizes) {
  const Pets pets;
  pets.folder.write("test/dog/1.png", picture(".png", 3, 4, kFill));
  expect_input_error(load_folder(pets.folder), {"test/dog/1.png", "3x4", "expected 4x3", "train/cat/1.png"});
}

TEST(ImageFolder, RefusesAnUnreadableImage) {
  const Pets pets;
  pets.folder.write("train/dog/2.png", "not a picture");
  expect_input_error(load_folder(pets.folder), {"train/dog/2.png", "damaged or no image"});
  pets.folder.write("train/dog/1.png", "");
  expect_input_error(load_folder(pets.folder), {"train/dog/1.png", "empty"});
}

TEST(ImageFolder, RefusesAnEmptyClassFolder) {
  const Pets pets;
  std::filesystem::create_directory(pets.folder.path() / "train/fish");
  expect_input_error(load_folder(pets.folder), {"train/fish", "no images"});
}

TEST(ImageFolder, RefusesAFolderWithoutClasses) {
  const TemporaryFolder folder;
  folder.write("1.png", picture(".png", 4, 3, kFill));
  expect_input_error(load_folder(folder), {folder.path().string(), "no class folders"});
}

TEST(ImageFolder, RefusesOtherChannels) {
  const Pets pets;
  expect_input_error(load_folder(pets.folder, "2"), {"test.yaml:1", "channels", "'2'", "auto, 1, 3"});
}

// Grey pictures of one value each.
std::string grey_picture(int value) { return picture(".png", 2, 2, cv::Scalar(value), CV_8UC1); }

// The first pixel of each example.
std::vector<int> values_of(const Split& split) {
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
  const auto dataset = load("folder", {{"path", folder.path().string()}, {"train", "5"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(values_of(dataset->train), ::testing::ElementsAre(1, 2, 10, 34, 35));
  EXPECT_THAT(frames_of(dataset->train),
              ::testing::ElementsAre(std::pair(0, 0), std::pair(1, 0), std::pair(2, 0), std::pair(0, 0),
                                     std::pair(1, 0)));
  EXPECT_THAT(dataset->train.groups, ::testing::ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(values_of(dataset->test), ::testing::ElementsAre(7, 90))
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
  EXPECT_THAT(values_of(dataset->test), ::testing::ElementsAre(10, 11, 20, 21, 10, 11, 20, 21));
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
  const auto a = load("folder", {{"path", path_of(films)}, {"train", "2"}}),
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
      {{"a/x/notes.txt"}, {"a/x: found neither"}},
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
    for (const std::string& file : one.files) folder.write(file, grey_picture(1));
    SCOPED_TRACE(one.files.back());
    const auto dataset = load_folder(folder);
    ASSERT_FALSE(dataset.ok());
    EXPECT_EQ(dataset.error().kind, ErrorKind::kInput);
    for (const std::string& word : one.words)
      EXPECT_THAT(dataset.error().message, ::testing::HasSubstr(word));
  }
}

}  // namespace
}  // namespace mash
