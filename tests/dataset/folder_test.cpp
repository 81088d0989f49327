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

}  // namespace
}  // namespace mash
