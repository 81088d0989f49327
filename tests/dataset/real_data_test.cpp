// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::histogram;
using testing::load;

// Published data sets, looked for in $MASH_DATA.
class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("MASH_DATA");
    if (!folder || !*folder) GTEST_SKIP() << "MASH_DATA is not set: no published data to test on";
  }

  static bool has(const char* name) {
    return std::filesystem::exists(std::filesystem::path(std::getenv("MASH_DATA")) / name);
  }
};

#define SKIP_WITHOUT(name) \
  if (!has(name)) GTEST_SKIP() << "$MASH_DATA has no " << name

TEST_F(RealData, Mnist) {
  SKIP_WITHOUT("mnist");
  const auto dataset = load("mnist", {});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{28, 28, 1}));
  EXPECT_THAT(histogram(*dataset, dataset->train),
              ElementsAre(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949));
  EXPECT_THAT(histogram(*dataset, dataset->test),
              ElementsAre(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009));
  double sum = 0;
  for (const std::uint8_t pixel : dataset->train.pixels) sum += pixel;
  EXPECT_NEAR(sum / 255 / double(dataset->train.pixels.size()), 0.1307, 0.00005);
}

TEST_F(RealData, MnistCutToTheFirst) {
  SKIP_WITHOUT("mnist");
  const auto dataset = load("mnist", {{"train", "1000"}, {"test", "10"}});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->train.num_examples, 1000u);
  EXPECT_THAT(dataset->test.labels, ElementsAre(7, 2, 1, 0, 4, 1, 4, 9, 5, 9));
}

TEST_F(RealData, Cifar) {
  SKIP_WITHOUT("cifar10");
  const auto dataset = load("cifar10", {});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(std::span(dataset->train.labels).first(10), ElementsAre(6, 9, 9, 4, 1, 1, 2, 7, 8, 3));
  EXPECT_THAT(std::span(dataset->test.labels).first(10), ElementsAre(3, 8, 8, 0, 6, 6, 1, 6, 3, 1));
}

TEST_F(RealData, InriaPerson) {
  SKIP_WITHOUT("inria-person");
  const auto dataset = load("folder", {{"path", "inria-person"}});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{64, 128, 3}));
  EXPECT_THAT(dataset->class_names, ElementsAre("neg", "pos"));
  EXPECT_THAT(histogram(*dataset, dataset->train), ElementsAre(300, 300));
  EXPECT_THAT(histogram(*dataset, dataset->test), ElementsAre(100, 100));
}

TEST_F(RealData, UspsHasItsLabelFirstBetweenBlanks) {
  SKIP_WITHOUT("usps");
  const auto dataset = load("csv", {{"path", "usps/zip.train.gz"},
                                    {"test_path", "usps/zip.test.gz"},
                                    {"delimiter", "space"},
                                    {"label", "first"}});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->train.num_examples, 7291u);
  EXPECT_EQ(dataset->test.num_examples, 2007u);
  EXPECT_EQ(dataset->column_names.size(), 256u);
  EXPECT_THAT(dataset->class_names, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  EXPECT_EQ(dataset->train.labels[0], 6);
  EXPECT_EQ(dataset->train.values[7], -0.631f);
}

TEST_F(RealData, UspsSmoothed) {
  SKIP_WITHOUT("usps");
  const auto original = load("usps", {}), smoothed = load("usps", {{"smooth", "0.75"}});
  ASSERT_LOADS(original);
  ASSERT_LOADS(smoothed);
  EXPECT_EQ(original->train.values[7], -0.631f);
  EXPECT_EQ(smoothed->train.labels, original->train.labels);
  EXPECT_EQ(smoothed->test.num_examples, 2007u);
  const auto mean = [](const Split& split) {
    double sum = 0;
    for (const float value : split.values) sum += value;
    return sum / double(split.values.size());
  };
  // Some of the ink at the borders is smoothed out of the picture.
  EXPECT_LT(mean(smoothed->train), mean(original->train));
  EXPECT_NEAR(mean(smoothed->train), mean(original->train), 0.05);
}

TEST_F(RealData, Pendigits) {
  SKIP_WITHOUT("pendigits");
  const auto dataset =
      load("csv", {{"path", "pendigits/pendigits.tra.gz"}, {"test_path", "pendigits/pendigits.tes.gz"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(histogram(*dataset, dataset->train),
              ElementsAre(780, 779, 780, 719, 780, 720, 720, 778, 719, 719));
  EXPECT_THAT(histogram(*dataset, dataset->test),
              ElementsAre(363, 364, 364, 336, 364, 335, 336, 364, 336, 336));
}

TEST_F(RealData, AdultHasALineTooManyAndFullStops) {
  SKIP_WITHOUT("adult");
  const auto dataset = load("csv", {{"path", "adult/adult.data.gz"},
                                    {"test_path", "adult/adult.test.gz"},
                                    {"test_skip_lines", "1"},
                                    {"label_strip", "."},
                                    {"missing", "?"}});
  ASSERT_LOADS(dataset);
  EXPECT_THAT(dataset->class_names, ElementsAre("<=50K", ">50K"));
  EXPECT_THAT(histogram(*dataset, dataset->train), ElementsAre(24720, 7841));
  EXPECT_THAT(histogram(*dataset, dataset->test), ElementsAre(12435, 3846));
  const std::size_t num_columns = dataset->column_names.size();
  std::size_t num_rows_with_missing = 0;
  for (std::size_t row = 0; row < dataset->train.num_examples; ++row) {
    const auto values = std::span(dataset->train.values).subspan(row * num_columns, num_columns);
    num_rows_with_missing += std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); });
  }
  EXPECT_EQ(num_rows_with_missing, 2399u);
}

}  // namespace
}  // namespace mash
