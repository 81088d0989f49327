// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/planted_family.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

constexpr std::size_t kTrain = 400, kTest = 100, kClasses = 4;

World world() {
  const auto all = testing::random_labels(kTrain + kTest, kClasses, 3);
  const auto test = all.begin() + kTrain;
  return {testing::numbered_images({all.begin(), test}, {test, all.end()}, kClasses),
          {FakeFamily{"one", 5, [](std::uint32_t n, std::uint32_t j) { return float(n * (j + 7) % 101); }}}};
}

// The planted family's codes, read as training reads them.
std::vector<std::uint8_t> codes(const FeatureSet& features, Side side, std::uint32_t feature) {
  const FeatureColumn column = features.column(side, features.first_feature(1) + feature);
  return {column.codes.begin(), column.codes.end()};
}

TEST(PlantedFamily, GatherAndColumnsAreTheSame) {
  World made = world();
  const PlantedFamily families[] = {noise_family(3, 1), permuted_family(made.features(), 0, 2),
                                    copied_family(made.features(), 0), leaking_family(made.dataset),
                                    knowing_family(made.dataset, 6, 1, 4)};
  for (const PlantedFamily& family : families) {
    const FeatureSet features = plant(made.features(), family);
    ASSERT_EQ(features.num_families(), 2u);
    EXPECT_EQ(features.families()[1].spec.name, family.name);
    const std::vector<std::uint32_t> rows{0, 3, 17, 399};
    for (std::uint32_t j = 0; j < family.dim; ++j) {
      const std::uint32_t feature = features.first_feature(1) + j;
      std::vector<std::uint8_t> gathered(rows.size());
      features.gather({&feature, 1}, rows, gathered.data(), rows.size());
      const auto train = codes(features, Side::kTrain, j);
      ASSERT_EQ(train.size(), kTrain);
      EXPECT_EQ(codes(features, Side::kTest, j).size(), kTest);
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(gathered[i], train[rows[i]]) << family.name;
    }
  }
}

TEST(PlantedFamily, APermutedFamilyHasTheSameCodesElsewhere) {
  World made = world();
  const FeatureSet features = plant(made.features(), permuted_family(made.features(), 0, 2));
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const FeatureColumn column = made.features().column(side, 2);
    std::vector<std::uint8_t> own(column.codes.begin(), column.codes.end()),
        permuted = codes(features, side, 2);
    EXPECT_NE(own, permuted);
    std::sort(own.begin(), own.end());
    std::sort(permuted.begin(), permuted.end());
    EXPECT_EQ(own, permuted);
  }
  const FeatureSet copied = plant(made.features(), copied_family(made.features(), 0));
  const FeatureColumn column = made.features().column(Side::kTest, 2);
  EXPECT_EQ(codes(copied, Side::kTest, 2),
            std::vector<std::uint8_t>(column.codes.begin(), column.codes.end()));
}

// The mean code of a feature over the examples of each class.
std::vector<double> class_means(const FeatureSet& features, const Dataset& dataset, std::uint32_t feature) {
  const auto all = codes(features, Side::kTrain, feature);
  std::vector<double> sums(kClasses), counts(kClasses);
  for (std::size_t n = 0; n < all.size(); ++n) {
    sums[dataset.train.labels[n]] += all[n];
    ++counts[dataset.train.labels[n]];
  }
  for (std::size_t l = 0; l < kClasses; ++l) sums[l] /= counts[l];
  return sums;
}

TEST(PlantedFamily, KnowsWhatItShould) {
  World made = world();
  const FeatureSet knowing = plant(made.features(), knowing_family(made.dataset, 8, 1, 4));
  const FeatureSet noise = plant(made.features(), noise_family(8, 1));
  std::size_t num_higher = 0;
  for (std::uint32_t j = 0; j < 8; ++j)
    for (std::size_t l = 0; l < kClasses; ++l) {
      const double mean = class_means(knowing, made.dataset, j)[l];
      EXPECT_NEAR(std::abs(mean - 128), 40, 16) << "one standard deviation is 40 codes";
      num_higher += mean > 128;
      EXPECT_NEAR(class_means(noise, made.dataset, j)[l], 127.5, 32)
          << "uniform codes have a deviation of 74";
    }
  EXPECT_GT(num_higher, 6u);
  EXPECT_LT(num_higher, 26u);
  const FeatureSet leak = plant(made.features(), leaking_family(made.dataset));
  const auto classes = codes(leak, Side::kTest, 0);
  for (std::size_t n = 0; n < classes.size(); ++n) EXPECT_EQ(classes[n], made.dataset.test.labels[n]);
}

}  // namespace
}  // namespace mash
