// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"
#include "tests/support/quiet_work.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::load;
using testing::TemporaryFolder;

constexpr std::size_t kStlSide = 96, kPlane = kStlSide * kStlSide;

// The value of the pixel of picture n at x, y in a channel.
std::uint8_t value(std::size_t n, std::size_t x, std::size_t y, std::size_t channel) {
  return std::uint8_t(7 * n + x + 3 * y + 50 * channel);
}

// The published order: planes, and in these columns.
std::string pictures(std::size_t count) {
  std::string bytes;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t channel = 0; channel < 3; ++channel)
      for (std::size_t x = 0; x < kStlSide; ++x)
        for (std::size_t y = 0; y < kStlSide; ++y) bytes += char(value(n, x, y, channel));
  return bytes;
}

struct Published {
  Published() {
    folder.write("class_names.txt", "airplane\nbird\ncar\n");
    folder.write("train_X.bin", pictures(4));
    folder.write("train_y.bin", "\x01\x02\x03\x01");
    folder.write("test_X.bin", pictures(2));
    folder.write("test_y.bin", "\x03\x02");
    folder.write("fold_indices.txt", "0 2 \n3 1\n0\n0\n0\n0\n0\n0\n0\n0\n");
  }
  auto read(std::initializer_list<std::pair<const char*, std::string>> more = {}) const {
    Settings settings;
    settings.add("path", folder.path().string(), "test.yaml:1");
    for (const auto& [key, text] : more) settings.add(key, text, "test.yaml:2");
    return load_dataset("stl10", settings, 1, testing::quiet_work());
  }
  TemporaryFolder folder;
};

TEST(Stl10, ReadsColumnsAsRows) {
  const Published published;
  const auto dataset = published.read();
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{96, 96, 3}));
  EXPECT_THAT(dataset->class_names, ::testing::ElementsAre("airplane", "bird", "car"));
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(0, 1, 2, 0));
  EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(2, 1));
  EXPECT_EQ(dataset->sources.size(), 5u);
  for (const std::size_t n : {0, 3})
    for (std::size_t y = 0; y < kStlSide; y += 19)
      for (std::size_t x = 0; x < kStlSide; x += 5)
        for (std::size_t channel = 0; channel < 3; ++channel)
          ASSERT_EQ(dataset->train.image(n, dataset->shape)[3 * (y * kStlSide + x) + channel],
                    value(n, x, y, channel));
}

TEST(Stl10, TrainsOnAFold) {
  const auto dataset = Published().read({{"fold", "1"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(1, 0));
  EXPECT_EQ(dataset->train.image(1, dataset->shape)[0], value(3, 0, 0, 0));
  EXPECT_THAT(example_names(*dataset, dataset->train),
              ::testing::ElementsAre("train_X.bin#1", "train_X.bin#3"));
  EXPECT_EQ(example_name(*dataset, dataset->test, 1), "test_X.bin#1");
  EXPECT_EQ(dataset->test.num_examples, 2u);
}

TEST(Stl10, RefusesDamagedFiles) {
  const Published published;
  expect_input_error(published.read({{"fold", "10"}}), {"test.yaml:2", "fold", "10"});
  expect_input_error(published.read({{"folds", "1"}}), {"test.yaml:2", "folds"});
  published.folder.write("fold_indices.txt", "0 4\n");
  expect_input_error(published.read({{"fold", "0"}}), {"fold_indices.txt:1", "'4'", "0 to 3"});
  expect_input_error(published.read({{"fold", "1"}}), {"fold_indices.txt", "found 1 lines", "10"});
  published.folder.write("test_X.bin", pictures(1));
  expect_input_error(published.read(), {"test_X.bin", "27648 bytes", "2 pictures"});
  published.folder.write("train_y.bin", "\x01\x04");
  expect_input_error(published.read(), {"train_y.bin", "byte 1", "label 4", "1 to 3"});
  std::filesystem::remove(published.folder / "class_names.txt");
  expect_input_error(published.read(), {"class_names.txt"});
}

TEST(Stl10, RefusesNamesOfClassesThatAreNoText) {
  for (const char* names : {"air\xffplane\nbird\ncar\n", "bird\nbird\ncar\n", "air\x1bplane\nbird\ncar\n"}) {
    const Published published;
    published.folder.write("class_names.txt", names);
    expect_input_error(published.read(), {"class_names.txt"});
  }
}

}  // namespace
}  // namespace mash
