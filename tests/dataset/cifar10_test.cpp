// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::gzip;
using testing::load;
using testing::TemporaryFolder;

// A record whose pixel (x, y) of channel c is (x + y + 50 c + first) modulo 256.
std::string record(int label, int first) {
  std::string bytes(1, char(label));
  for (int channel = 0; channel < 3; ++channel)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x) bytes += char((x + y + 50 * channel + first) & 0xff);
  return bytes;
}

Result<Dataset> load_cifar(const TemporaryFolder& folder) {
  return load("cifar10", {{"path", folder.path().string()}});
}

TEST(Cifar, ReadsAllBatchesInNameOrder) {
  const TemporaryFolder folder;
  folder.write("data_batch_2.bin", record(9, 0));
  folder.write("data_batch_1.bin.gz", gzip(record(3, 1) + record(4, 2)));
  folder.write("test_batch.bin", record(0, 100));
  folder.write("batches.meta.txt", "not looked at");
  const auto dataset = load_cifar(folder);
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{32, 32, 3}));
  EXPECT_THAT(dataset->train.labels, ::testing::ElementsAre(3, 4, 9));
  EXPECT_THAT(dataset->test.labels, ::testing::ElementsAre(0));
  EXPECT_EQ(dataset->class_names[9], "truck");
  const auto image = dataset->train.image(1, dataset->shape);
  const std::size_t pixel = (5 * 32 + 7) * 3;  // x = 7, y = 5: 12 + 2, and 50 more per channel
  EXPECT_THAT(image.subspan(pixel, 3), ::testing::ElementsAre(14, 64, 114));
  EXPECT_EQ(dataset->sources.size(), 3u);
  EXPECT_THAT(example_names(*dataset, dataset->train),
              ::testing::ElementsAre("data_batch_1.bin.gz#0", "data_batch_1.bin.gz#1", "data_batch_2.bin#0"));
  EXPECT_THAT(example_names(*dataset, dataset->test), ::testing::ElementsAre("test_batch.bin#0"));
}

TEST(Cifar, ReadsABatchOnceThatIsPlainAndPacked) {
  const TemporaryFolder folder;
  folder.write("data_batch_1.bin", record(1, 0));
  folder.write("data_batch_1.bin.gz", gzip(record(1, 0)));
  folder.write("test_batch.bin", record(0, 0));
  const auto dataset = load_cifar(folder);
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->train.num_examples, 1u);
}

TEST(Cifar, RefusesATruncatedRecord) {
  const TemporaryFolder folder;
  folder.write("data_batch_1.bin", record(1, 0) + record(2, 0).substr(0, 100));
  folder.write("test_batch.bin", record(0, 0));
  expect_input_error(load_cifar(folder), {"data_batch_1.bin", "byte 3173", "truncated in record 1", "3073"});
}

TEST(Cifar, RefusesALabelOutOfRange) {
  const TemporaryFolder folder;
  folder.write("data_batch_1.bin", record(1, 0) + record(10, 0));
  folder.write("test_batch.bin", record(0, 0));
  expect_input_error(load_cifar(folder), {"data_batch_1.bin", "byte 3073", "record 1", "label 10", "0 to 9"});
}

TEST(Cifar, RefusesASideWithoutBatches) {
  const TemporaryFolder folder;
  folder.write("data_batch_1.bin", record(1, 0));
  expect_input_error(load_cifar(folder), {folder.path().string(), "no test_batch*.bin"});
  expect_input_error(load("cifar10", {{"path", folder.write("file", "x")}}), {"cannot be listed"});
}

}  // namespace
}  // namespace mash
