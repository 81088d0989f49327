// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::gzip;
using testing::load;
using testing::TemporaryFolder;

constexpr std::size_t kUspsSide = 16;

// A line of the file: background, and one pixel of +1.
std::string line(int label, std::size_t x, std::size_t y) {
  std::string text = std::to_string(label) + ".0000";
  for (std::size_t i = 0; i < kUspsSide * kUspsSide; ++i)
    text += i == y * kUspsSide + x ? " 1.0000" : " -1.0000";
  return text + "\n";
}

float usps_value(const Split& split, std::size_t example_idx, std::size_t x, std::size_t y) {
  return split.values[(example_idx * kUspsSide + y) * kUspsSide + x];
}

class Usps : public ::testing::Test {
 protected:
  Usps() {
    folder.write("zip.train.gz", gzip(line(3, 8, 5) + line(6, 0, 15)));
    folder.write("zip.test", line(6, 15, 15));
  }
  Result<Dataset> read(const std::string& smooth) const {
    return load("usps", {{"path", folder.path().string()}, {"smooth", smooth}});
  }
  TemporaryFolder folder;
};

TEST_F(Usps, ReadsBothSidesAsTheyAre) {
  const auto dataset = read("0");
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->train.num_examples, 2u);
  EXPECT_EQ(dataset->test.num_examples, 1u);
  EXPECT_EQ(dataset->column_names.size(), 256u);
  EXPECT_THAT(dataset->class_names, ::testing::ElementsAre("3", "6"));
  EXPECT_EQ(usps_value(dataset->train, 0, 8, 5), 1);
  EXPECT_EQ(usps_value(dataset->train, 0, 5, 8), -1);
}

TEST_F(Usps, ArePicturesWhereAsked) {
  const std::string path = folder.path().string();
  const auto pictures = load("usps", {{"path", path}, {"form", "pictures"}});
  ASSERT_LOADS(pictures);
  EXPECT_EQ(pictures->shape, (ImageShape{16, 16, 1}));
  EXPECT_TRUE(pictures->column_names.empty());
  EXPECT_EQ(pictures->train.pixels.size(), 2 * 256u);
  EXPECT_EQ(pictures->train.image(0, pictures->shape)[5 * 16 + 8], 255);
  EXPECT_EQ(pictures->train.image(0, pictures->shape)[8 * 16 + 5], 0);
  EXPECT_THAT(pictures->class_names, ::testing::ElementsAre("3", "6"));
  EXPECT_THAT(read("0")->warnings, ::testing::Contains(::testing::HasSubstr("form: pictures")));
  expect_input_error(load("usps", {{"path", path}, {"form", "films"}}), {"form", "columns, pictures"});
}

TEST_F(Usps, SmoothsByAGaussianOverBackground) {
  const auto dataset = read("0.75");
  ASSERT_LOADS(dataset);
  double sum = 0;
  for (int i = -3; i <= 3; ++i) sum += std::exp(-0.5 * i * i / 0.5625);
  const auto weight = [&](int i) { return std::exp(-0.5 * i * i / 0.5625) / sum; };
  EXPECT_NEAR(usps_value(dataset->train, 0, 8, 5), -1 + 2 * weight(0) * weight(0), 1e-6);
  EXPECT_NEAR(usps_value(dataset->train, 0, 9, 3), -1 + 2 * weight(1) * weight(2), 1e-6);
  EXPECT_EQ(usps_value(dataset->train, 0, 12, 5), -1) << "four pixels off";
  // Pixels outside of the picture are background too: a corner keeps only what falls inside.
  EXPECT_NEAR(usps_value(dataset->train, 1, 0, 15), -1 + 2 * weight(0) * weight(0), 1e-6);
  EXPECT_NEAR(usps_value(dataset->test, 0, 14, 15), -1 + 2 * weight(1) * weight(0), 1e-6);
}

TEST_F(Usps, RefusesRowsThatAreNoSuchPictures) {
  folder.write("zip.train.gz", gzip("3.0000 1.0 -1.0\n"));
  folder.write("zip.test", "3.0000 1.0 -1.0\n");
  expect_input_error(read("0"), {"zip.train.gz", "found 2 values", "expected 256"});
  expect_input_error(read("-1"), {"smooth"});
}

}  // namespace
}  // namespace mash
