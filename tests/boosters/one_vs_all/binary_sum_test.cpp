// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/binary_sum.hpp"

#include <gtest/gtest.h>

#include "classifiers/serving/cut_answers.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::learnable_table;
using testing::World;

Hypothesis stump(const World& world, std::uint32_t feature, std::uint32_t cut, double alpha, double vote) {
  return {alpha, {{0, feature, world.features().threshold(feature, cut)}}, {vote}, {}};
}

// F of some training examples, hypothesis by hypothesis on the whole side.
std::vector<double> by_definition(const World& world, std::span<const Hypothesis> hypotheses,
                                  std::span<const std::uint32_t> examples) {
  std::vector<double> sums(examples.size());
  for (const Hypothesis& hypothesis : hypotheses) {
    const auto cells = cells_of(hypothesis, world.features(), Side::kTrain);
    const auto votes = cell_votes(hypothesis);
    for (std::size_t i = 0; i < examples.size(); ++i) sums[i] += hypothesis.alpha * votes[cells[examples[i]]];
  }
  return sums;
}

TEST(BinarySum, IsTheSumOfItsHypotheses) {
  World world(learnable_table(60, 4, 2, 3));
  const std::vector<Hypothesis> hypotheses{
      stump(world, 2, 3, 0.5, 1),
      stump(world, 0, 1, 0.25, -1),
      {2, {{0, 0, -std::numeric_limits<float>::infinity()}}, {1}, {}},
      {0.125,
       {{0, 1, world.features().threshold(1, 2)}, {0, 3, world.features().threshold(3, 4)}},
       {1, -1, 0.5},
       {{1, -3}, {-1, -2}}}};
  const std::vector<std::uint32_t> examples{0, 5, 17, 59};
  for (const bool keeps_all : {false, true}) {
    HeldCodes codes(world.features(), keeps_all);
    codes.hold(examples);
    BinarySum sum(codes);
    EXPECT_EQ(sum.at(examples), std::vector<double>(4)) << "of nothing";
    for (const Hypothesis& hypothesis : hypotheses) sum.add(hypothesis);
    EXPECT_EQ(sum.size(), 4u);
    EXPECT_EQ(sum.at(examples), by_definition(world, hypotheses, examples)) << keeps_all;
    EXPECT_TRUE(sum.at({}).empty());
  }
}

TEST(BinarySum, RefusesWhatItCannotLookUp) {
  World world(learnable_table(60, 4, 2, 3));
  const HeldCodes codes(world.features(), false);
  BinarySum sum(codes);
  EXPECT_THROW(sum.add({1, {{0, 1, 0.123456f}}, {1}, {}}), std::logic_error)
      << "a threshold of another store";
  EXPECT_THROW(sum.add({1, {{0, 1, world.features().threshold(1, 1)}}, {1, -1}, {}}), std::logic_error)
      << "votes of two classes";
}

TEST(HeldCodes, AreThoseOfTheFeatures) {
  World world(learnable_table(60, 4, 2, 3));
  const std::vector<std::uint32_t> features{0, 1, 2, 3}, first{3, 8, 40}, second{8, 9, 10, 40, 41};
  for (const bool keeps_all : {false, true}) {
    HeldCodes codes(world.features(), keeps_all);
    codes.hold(first);
    codes.hold(second);
    std::vector<std::uint8_t> expected(4 * 5), found(4 * 5);
    world.features().gather(features, second, expected.data(), 5);
    codes.gather(features, second, found.data());
    EXPECT_EQ(found, expected) << keeps_all;
    const std::vector<std::uint32_t> some{8, 10, 41};
    const FeatureSet view = codes.view(some);
    EXPECT_EQ(view.num_train(), 3u);
    EXPECT_EQ(view.num_test(), world.features().num_test());
    for (const std::uint32_t feature : features) {
      const auto whole = world.features().column(Side::kTrain, feature);
      const auto column = view.column(Side::kTrain, feature);
      ASSERT_EQ(column.codes.size(), 3u);
      for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(column.codes[r], whole.codes[some[r]]);
      EXPECT_EQ(view.num_cuts(feature), world.features().num_cuts(feature));
      EXPECT_EQ(view.threshold(feature, 1), world.features().threshold(feature, 1));
      EXPECT_EQ(view.skip_code(feature, 0.1), FeatureSet::kNoSkip);
    }
    const std::vector<std::uint32_t> ends{0, 2};
    std::vector<std::uint8_t> gathered(2 * 2), of_all(2 * 2);
    view.gather(std::vector<std::uint32_t>{1, 3}, ends, gathered.data(), 2);
    world.features().gather(std::vector<std::uint32_t>{1, 3}, std::vector<std::uint32_t>{8, 41},
                            of_all.data(), 2);
    EXPECT_EQ(gathered, of_all);
  }
}

TEST(HeldCodes, OfWhatIsNotHeldAreRefused) {
  World world(learnable_table(60, 4, 2, 3));
  HeldCodes codes(world.features(), true);
  const std::vector<std::uint32_t> held{1, 2}, other{3}, feature{0};
  codes.hold(held);
  std::uint8_t code = 0;
  EXPECT_THROW(codes.gather(feature, other, &code), std::out_of_range);
}

}  // namespace
}  // namespace mash
