// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/mnist.hpp"

#include "framework/dataset/idx.hpp"
#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::gzip;
using testing::load;
using testing::TemporaryFolder;

IdxImages mnist_images(std::size_t num_images, std::uint32_t width, std::uint32_t height) {
  IdxImages images{{width, height, 1}, {}, num_images};
  for (std::size_t i = 0; i < num_images * images.shape.num_bytes(); ++i)
    images.pixels.push_back(std::uint8_t(i * 7));
  return images;
}

// Three training and two test images of 4x2 pixels.
struct SmallMnist {
  SmallMnist() {
    folder.write("train-images-idx3-ubyte", write_idx_images(mnist_images(3, 4, 2)));
    folder.write("train-labels-idx1-ubyte", write_idx_labels({7, 0, 9}));
    folder.write("t10k-images-idx3-ubyte", write_idx_images(mnist_images(2, 4, 2)));
    folder.write("t10k-labels-idx1-ubyte", write_idx_labels({1, 2}));
  }
  Result<Dataset> load() const { return testing::load("mnist", {{"path", folder.path().string()}}); }

  TemporaryFolder folder;
};

TEST(Mnist, ReadsBothSides) {
  const SmallMnist mnist;
  const auto dataset = mnist.load();
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->name, "mnist");
  EXPECT_EQ(dataset->shape, (ImageShape{4, 2, 1}));
  EXPECT_EQ(dataset->num_classes(), 10u);
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(7, 0, 9));
  EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(1, 2));
  EXPECT_EQ(dataset->train.pixels, mnist_images(3, 4, 2).pixels);
  EXPECT_EQ(dataset->train.image(1, dataset->shape)[3], std::uint8_t(11 * 7));
  EXPECT_EQ(dataset->sources.size(), 4u);
  EXPECT_EQ(dataset->sources[0].path.filename(), "train-images-idx3-ubyte");
  EXPECT_EQ(example_name(*dataset, dataset->train, 2), "train-images-idx3-ubyte#2");
  EXPECT_EQ(example_name(*dataset, dataset->test, 1), "t10k-images-idx3-ubyte#1");
}

TEST(Mnist, FilesMayHaveOtherNames) {
  struct Instance {
    const char* beginning;
    const char* test;
    char dot;
  };
  for (const Instance& instance : {Instance{"", "t10k", '.'}, Instance{"emnist-letters-", "test", '-'},
                                   Instance{"", "test", '-'}, Instance{"fashion_", "t10k", '.'}}) {
    const TemporaryFolder folder;
    const auto write = [&](std::string_view side, std::string_view what, std::string_view kind,
                           const std::string& bytes) {
      folder.write(fmt::format("{}{}-{}{}{}-ubyte", instance.beginning, side, what, instance.dot, kind),
                   bytes);
    };
    write("train", "images", "idx3", write_idx_images(mnist_images(3, 4, 2)));
    write("train", "labels", "idx1", write_idx_labels({7, 0, 9}));
    write(instance.test, "images", "idx3", write_idx_images(mnist_images(2, 4, 2)));
    write(instance.test, "labels", "idx1", write_idx_labels({1, 2}));
    const auto dataset = load("mnist", {{"path", folder.path().string()}});
    ASSERT_LOADS(dataset) << instance.beginning << instance.test;
    EXPECT_EQ(dataset->train.num_examples, 3u);
    EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(1, 2));
    EXPECT_EQ(dataset->num_classes(), 10u);
  }
}

// As archives have them: each file in a folder of its name, and the same beside it with a point in the name.
TEST(Mnist, FilesMayLieInFoldersOfTheirNames) {
  for (const bool is_twice : {false, true}) {
    const SmallMnist mnist;
    for (const char* name : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
                             "t10k-labels-idx1-ubyte"}) {
      const std::filesystem::path file = mnist.folder / name;
      std::string with_point = name;
      with_point[with_point.find("-idx")] = '.';
      if (is_twice) std::filesystem::copy_file(file, mnist.folder / with_point);
      std::filesystem::rename(file, mnist.folder / "moved");
      std::filesystem::create_directory(file);
      std::filesystem::rename(mnist.folder / "moved", file / name);
    }
    const auto dataset = mnist.load();
    ASSERT_LOADS(dataset) << is_twice;
    EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(7, 0, 9));
  }
}

TEST(Mnist, OneOfSeveralSetsIsNamed) {
  const SmallMnist mnist;
  for (const char* name : {"emnist-letters-", "emnist-mnist-"}) {
    mnist.folder.write(std::string(name) + "train-images-idx3-ubyte",
                       write_idx_images(mnist_images(1, 4, 2)));
    mnist.folder.write(std::string(name) + "train-labels-idx1-ubyte", write_idx_labels({26}));
    mnist.folder.write(std::string(name) + "test-images-idx3-ubyte", write_idx_images(mnist_images(1, 4, 2)));
    mnist.folder.write(std::string(name) + "test-labels-idx1-ubyte", write_idx_labels({3}));
  }
  const std::string path = mnist.folder.path().string();
  EXPECT_EQ(load("mnist", {{"path", path}})->train.num_examples, 3u);  // those of MNIST itself
  const auto letters = load("mnist", {{"path", path}, {"files", "emnist-letters"}});
  ASSERT_LOADS(letters);
  EXPECT_EQ(letters->num_classes(), 27u);  // as many as the labels need
  expect_input_error(load("mnist", {{"path", path}, {"files", "emnist"}}),
                     {"emnist-letters", "emnist-mnist", "'files'"});
  expect_input_error(load("mnist", {{"path", path}, {"files", "kmnist"}}), {"kmnist", "train"});
}

TEST(Mnist, PackedAndPlainAreTheSameSet) {
  const SmallMnist plain, packed;
  for (const auto& entry : std::filesystem::directory_iterator(plain.folder.path())) {
    const auto source = read_source(entry.path());
    ASSERT_LOADS(source);
    const std::string name = entry.path().filename().string();
    packed.folder.write(name + ".gz", gzip(source->bytes));
    std::filesystem::remove(packed.folder.path() / name);
  }
  const auto a = plain.load(), b = packed.load();
  ASSERT_LOADS(a);
  ASSERT_LOADS(b);
  EXPECT_EQ(a->fingerprint, b->fingerprint);
  EXPECT_NE(a->sources[0].sha256, b->sources[0].sha256);
}

TEST(Mnist, WarnsOfAbsentClasses) {
  const SmallMnist mnist;
  const auto dataset = mnist.load();
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->warnings, ::testing::Contains("class '1' has no training examples"));
  EXPECT_THAT(dataset->warnings, ::testing::Contains("class '7' has no test examples"));
}

TEST(Mnist, RefusesAWrongMagicNumber) {
  const SmallMnist mnist;
  mnist.folder.write("t10k-images-idx3-ubyte", write_idx_labels(std::vector<std::uint16_t>(20)));
  expect_input_error(mnist.load(), {"t10k-images-idx3-ubyte", "byte 0", "0x00000801", "expected 0x00000803"});
  mnist.folder.write("t10k-labels-idx1-ubyte", write_idx_images(mnist_images(2, 4, 2)));
  expect_input_error(mnist.load(), {"t10k-labels-idx1-ubyte", "byte 0", "0x00000803", "expected 0x00000801"});
}

TEST(Mnist, RefusesTruncatedFiles) {
  const SmallMnist mnist;
  mnist.folder.write("train-images-idx3-ubyte", write_idx_images(mnist_images(3, 4, 2)).substr(0, 16 + 19));
  expect_input_error(mnist.load(),
                     {"train-images-idx3-ubyte", "byte 35", "truncated in record 2", "3 records of 8"});
  mnist.folder.write("train-images-idx3-ubyte", std::string("\0\0\x08", 3));
  expect_input_error(mnist.load(), {"train-images-idx3-ubyte", "byte 3", "truncated in the header"});
  mnist.folder.write("train-labels-idx1-ubyte", write_idx_labels({7, 0, 9}).substr(0, 10));
  expect_input_error(mnist.load(), {"train-labels-idx1-ubyte", "byte 10", "record 2", "3 records of 1"});
}

TEST(Mnist, RefusesOversizedFiles) {
  const SmallMnist mnist;
  mnist.folder.write("train-images-idx3-ubyte", write_idx_images(mnist_images(3, 4, 2)) + "xy");
  expect_input_error(mnist.load(), {"train-images-idx3-ubyte", "byte 40", "2 more bytes", "3 records of 8"});
}

// 4294967295 images of 16384x16384 would be a million terabytes.
TEST(Mnist, RefusesForgedSizesBeforeAllocating) {
  const SmallMnist mnist;
  mnist.folder.write("train-images-idx3-ubyte",
                     std::string("\0\0\x08\x03\xff\xff\xff\xff\0\0\x40\0\0\0\x40\0....", 20));
  expect_input_error(mnist.load(), {"train-images-idx3-ubyte", "byte 20", "truncated", "4294967295 records"});
  mnist.folder.write("train-images-idx3-ubyte",
                     std::string("\0\0\x08\x03\0\0\0\3\xff\xff\xff\xff\0\0\0\2", 16));
  expect_input_error(mnist.load(), {"train-images-idx3-ubyte", "byte 8", "2x4294967295", "1 to 16384"});
  mnist.folder.write("train-images-idx3-ubyte", std::string("\0\0\x08\x03\0\0\0\0\0\0\0\2\0\0\0\2", 16));
  expect_input_error(mnist.load(), {"train-images-idx3-ubyte", "byte 4", "no images"});
}

TEST(Mnist, RefusesCountsThatDiffer) {
  const SmallMnist mnist;
  mnist.folder.write("train-labels-idx1-ubyte", write_idx_labels({7, 0}));
  expect_input_error(mnist.load(),
                     {"train-images-idx3-ubyte", "found 3 images", "expected 2", "train-labels"});
}

TEST(Mnist, RefusesLabelsOutOfRange) {
  const SmallMnist mnist;
  mnist.folder.write("train-labels-idx1-ubyte", write_idx_labels({7, 0, 10}));
  expect_input_error(mnist.load(), {"train-labels-idx1-ubyte", "byte 10", "record 2", "label 10", "0 to 9"});
  EXPECT_TRUE(load("mnist", {{"path", mnist.folder.path().string()}, {"classes", "11"}}).ok());
}

TEST(Mnist, RefusesSidesOfDifferentSize) {
  const SmallMnist mnist;
  mnist.folder.write("t10k-images-idx3-ubyte", write_idx_images(mnist_images(2, 2, 4)));
  expect_input_error(mnist.load(), {"t10k-images-idx3-ubyte", "found images of 2x4", "expected 4x2"});
}

TEST(Mnist, RefusesAMissingFile) {
  const SmallMnist mnist;
  std::filesystem::remove(mnist.folder.path() / "t10k-labels-idx1-ubyte");
  expect_input_error(mnist.load(), {"t10k-labels-idx1-ubyte: no such file", ".gz"});
}

}  // namespace
}  // namespace mash
