// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/cut_answers.hpp"

#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::World;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Cut cut_at(float threshold) { return {0, 0, threshold}; }

TEST(CutAnswersOfAValue, HoldFromTheThresholdOn) {
  EXPECT_TRUE(cut_at(1.5f).holds(1.5f));
  EXPECT_TRUE(cut_at(1.5f).holds(kInf));
  EXPECT_TRUE(cut_at(-0.f).holds(0.f));
  EXPECT_FALSE(cut_at(1.5f).holds(std::nextafter(1.5f, 0.f)));
  EXPECT_FALSE(cut_at(1.5f).holds(-kInf));
}

TEST(CutAnswersOfAValue, WhatIsMissingIsBelowEveryThreshold) {
  EXPECT_FALSE(cut_at(1.5f).holds(kNan));
  EXPECT_FALSE(cut_at(std::numeric_limits<float>::lowest()).holds(kNan));
}

TEST(CutAnswersOfAValue, TheConstantHoldsForAllAndForWhatIsMissing) {
  for (const float value : {kNan, -kInf, 0.f, kInf}) EXPECT_TRUE(cut_at(-kInf).holds(value));
}

TEST(CutAnswersOfMany, AreThoseOfEach) {
  const std::vector<float> values{1, kNan, 2, 3, -kInf, kInf};
  EXPECT_EQ(answers_of_values(cut_at(2), values), (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(answers_of_values(cut_at(-kInf), values), std::vector<std::uint8_t>(6, 1));
  const std::vector<std::uint8_t> codes{0, 1, 2, 255};
  EXPECT_EQ(answers_of_codes(codes, 2), (std::vector<std::uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(answers_of_codes(codes, 0), std::vector<std::uint8_t>(4, 1));
}

// One column of few and one of more values than there are codes; some are missing.
World some_values(std::uint64_t seed, bool keep_values = true) {
  RandomStream stream(seed, "test.cut answers");
  const auto values = [&](std::size_t num_examples) {
    std::vector<float> values;
    for (std::size_t n = 0; n < num_examples; ++n) {
      values.push_back(stream.below(20) == 0 ? kNan : float(stream.below(9)));
      values.push_back(float(stream.normal()));
    }
    return values;
  };
  std::vector<float> train = values(600), test = values(150);
  return World(testing::table(std::move(train), testing::random_labels(600, 2, 1), 2, std::move(test),
                              testing::random_labels(150, 2, 2)),
               1, keep_values);
}

// The answers to a cut from the raw values of a side.
std::vector<std::uint8_t> expected_answers(const World& world, const Cut& cut, Side side) {
  const Split& split = side == Side::kTrain ? world.dataset.train : world.dataset.test;
  std::vector<std::uint8_t> answers;
  for (std::size_t n = 0; n < split.num_examples; ++n)
    answers.push_back(cut.threshold == -kInf || split.values[n * 2 + cut.feature_idx] >= cut.threshold);
  return answers;
}

void expect_right_answers(const World& world, const Cut& cut) {
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const CutColumn column(cut, world.features(), side);
    const auto expected = expected_answers(world, cut, side);
    ASSERT_EQ(column.all(), expected) << cut.feature_idx << ", " << cut.threshold;
    for (std::size_t n = 0; n < expected.size(); ++n) ASSERT_EQ(column.holds(n), expected[n] != 0);
  }
}

TEST(CutAnswersOfASide, AreThoseOfTheValuesForEveryThresholdOfTheStore) {
  const World world = some_values(1, false);
  for (std::uint32_t feature = 0; feature < 2; ++feature)
    for (std::uint32_t code = 1; code <= world.features().num_cuts(feature); ++code) {
      const Cut cut{0, feature, world.features().threshold(feature, code)};
      EXPECT_EQ(first_code_of(cut, world.features()), std::uint8_t(code));
      expect_right_answers(world, cut);
    }
}

TEST(CutAnswersOfASide, OfTheConstantAreAllOne) {
  const World world = some_values(1, false);
  EXPECT_EQ(first_code_of(cut_at(-kInf), world.features()), std::uint8_t(0));
  expect_right_answers(world, cut_at(-kInf));
}

RC_GTEST_PROP(CutAnswersOfASide, AreThoseOfTheValuesForAThresholdThatTheStoreDoesNotHave,
              (std::uint64_t seed)) {
  static const World world = some_values(2);
  RandomStream stream(seed, "test.threshold");
  const Cut cut{0, 1, float(stream.normal())};
  RC_PRE(!first_code_of(cut, world.features()).has_value());
  for (const Side side : {Side::kTrain, Side::kTest})
    RC_ASSERT(CutColumn(cut, world.features(), side).all() == expected_answers(world, cut, side));
}

TEST(CutAnswersOfAModel, AreAskedByHypothesisCutAndExample) {
  const World world = some_values(1);
  const Cut few{0, 0, world.features().threshold(0, 3)}, many{0, 1, world.features().threshold(1, 100)},
      own{0, 1, 0.123f}, always{0, 0, -kInf};
  StrongClassifier model;
  model.class_names = world.dataset.class_names;
  model.families = {{"columns", "columns", "1.0.0", {}, 2}};
  model.hypotheses = {{1, {few, many}, {1, -1}, {}}, {1, {always}, {1, -1}, {}}, {1, {own}, {1, -1}, {}}};
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const auto answers = CutAnswers::make(model, world.features(), side);
    ASSERT_TRUE(answers.ok());
    for (std::size_t t = 0; t < model.hypotheses.size(); ++t)
      for (std::size_t i = 0; i < model.hypotheses[t].cuts.size(); ++i) {
        const auto expected = expected_answers(world, model.hypotheses[t].cuts[i], side);
        for (std::size_t n = 0; n < expected.size(); ++n)
          ASSERT_EQ(answers->holds(t, i, n), expected[n] != 0) << t << ", " << i << ", " << n;
      }
  }
}

TEST(CutAnswersOfAModel, RefuseFamiliesOfAnotherSize) {
  const World world = some_values(1, false);
  StrongClassifier model;
  model.families = {{"columns", "columns", "1.0.0", {}, 3}};
  const auto answers = CutAnswers::make(model, world.features());
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().kind, ErrorKind::kInput);
}

TEST(CellsOf, StumpsProductsAndTreesAreThoseOfTheirCuts) {
  const World world = some_values(1);
  const Cut few{0, 0, world.features().threshold(0, 3)}, own{0, 1, 0.123f}, always{0, 0, -kInf};
  const std::vector<Hypothesis> hypotheses{{1, {few}, {1, -1}, {}},
                                           {1, {always}, {1, -1}, {}},
                                           {1, {few, own}, {1, -1}, {}},
                                           {1, {few, own}, {1, 1, -1, 1, 1, -1}, {{-1, 1}, {-2, -3}}}};
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const auto a = expected_answers(world, few, side), b = expected_answers(world, own, side);
    const auto stump = cells_of(hypotheses[0], world.features(), side),
               constant = cells_of(hypotheses[1], world.features(), side),
               product = cells_of(hypotheses[2], world.features(), side),
               tree = cells_of(hypotheses[3], world.features(), side);
    EXPECT_EQ(stump, a);
    EXPECT_EQ(constant, std::vector<std::uint8_t>(a.size(), 1));
    for (std::size_t n = 0; n < a.size(); ++n) {
      EXPECT_EQ(product[n], a[n] == b[n]);
      EXPECT_EQ(tree[n], a[n] == 0 ? 0 : 1 + b[n]);
    }
  }
}

// The cells of each hypothesis, in order; pictures are looked at once for many of them.
TEST(CellsOfMany, AreThoseOfEachAndComputedTogether) {
  World world(
      testing::numbered_images(testing::random_labels(120, 2, 1), testing::random_labels(50, 2, 2), 2),
      {{"f", 150, [](std::uint32_t n, std::uint32_t j) { return float((n * 7 + j * 13) % 29); }}});
  std::vector<Hypothesis> hypotheses;
  for (std::uint32_t j = 0; j < 150; ++j) {
    Hypothesis hypothesis;
    hypothesis.cuts = {{0, j, world.features().threshold(j, 1 + j % 20)}};
    if (j % 3 == 0)
      hypothesis.cuts.push_back({0, (j + 75) % 150, world.features().threshold((j + 75) % 150, 9)});
    if (j % 10 == 0) hypothesis.cuts = {{0, j, -kInf}};
    hypotheses.push_back(hypothesis);
  }
  world.store.limit = 0;
  const auto lazy = FeatureSet::open(world.specs, world.store, world.context());
  ASSERT_TRUE(lazy.ok());
  for (const Side side : {Side::kTrain, Side::kTest}) {
    world.host.forget_images();
    std::size_t next = 0;
    for_each_cells(hypotheses, *lazy, side,
                   [&](const Hypothesis& hypothesis, const std::vector<std::uint8_t>& cells) {
                     EXPECT_EQ(hypothesis, hypotheses[next++]);
                     EXPECT_EQ(cells, cells_of(hypothesis, world.features(), side));
                   });
    EXPECT_EQ(next, hypotheses.size());
    const std::size_t num_batches = 5, num_train = 120, num_examples = side == Side::kTrain ? 120 : 50;
    EXPECT_LE(world.host.num_images, num_batches * (num_examples + num_train));
  }
}

}  // namespace
}  // namespace mash
