// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/code_classifier.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "classifiers/serving/predictor.hpp"
#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr std::size_t kTrain = 2000, kColumns = 7;

// Stumps, products and trees in turn (one in `trees` of them, by default few, so that groups of all lengths
// come up), their thresholds those of the store.
StrongClassifier random_model(const FeatureSet& features, const Dataset& dataset, std::size_t num_hypotheses,
                              std::uint64_t trees = 20) {
  RandomStream stream(1, "classifier.model");
  StrongClassifier model;
  model.class_names = dataset.class_names;
  model.column_names = dataset.column_names;
  model.families = {{"columns", "columns", "1.0.0", {}, kColumns}};
  const auto cut = [&] {
    const auto feature = std::uint32_t(stream.below(kColumns));
    const auto code = std::uint32_t(stream.below(features.num_cuts(feature) + 1));
    return Cut{0, feature,
               code == 0 ? -std::numeric_limits<float>::infinity() : features.threshold(feature, code)};
  };
  for (std::size_t t = 0; t < num_hypotheses; ++t) {
    Hypothesis& hypothesis = model.hypotheses.emplace_back();
    hypothesis.alpha = stream.uniform();
    const std::size_t num_cuts = 1 + stream.below(3);
    for (std::size_t i = 0; i < num_cuts; ++i) hypothesis.cuts.push_back(cut());
    if (stream.below(trees) == 0)
      for (std::int32_t i = 0; i < std::int32_t(num_cuts); ++i)  // a chain
        hypothesis.branches.push_back({-1 - i, i + 1 < std::int32_t(num_cuts) ? i + 1 : -2 - i});
    const std::size_t num_rows = hypothesis.is_tree() ? hypothesis.num_cells() : 1;
    for (std::size_t i = 0; i < num_rows * model.num_classes(); ++i)
      hypothesis.votes.push_back(stream.below(2) == 0 ? 1 : -1);
  }
  return model;
}

struct Classes {
  std::vector<std::uint16_t> ours, predictors;
};

// The classes of the test side.
Classes classes_of(const testing::World& world, const StrongClassifier& model) {
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(model, catalogue);
  const auto classifier = CodeClassifier::make(model, world.features());
  EXPECT_TRUE(classifier.ok() && predictor.ok());
  return {classifier->classes(classifier->read(Side::kTest, Workers(1)), Workers(1)),
          predicted_classes(*predictor->scores(world.dataset.test, Workers(1)), model.num_classes())};
}

class CodeClassifierOfClasses : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CodeClassifierOfClasses, EqualsThePredictorOnEachInstructionSet) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, GetParam(), 3));
  const StrongClassifier model = random_model(world.features(), world.dataset, 150);
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(model, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  const auto classifier = CodeClassifier::make(model, world.features());
  ASSERT_TRUE(classifier.ok()) << classifier.error().message;
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const Split& split = side == Side::kTrain ? world.dataset.train : world.dataset.test;
    const auto expected = predictor->scores(split, Workers(1));
    ASSERT_TRUE(expected.ok());
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      const auto classes = classifier->classes(classifier->read(side, Workers(2)), Workers(2));
      hwy::SetSupportedTargetsForTest(0);
      ASSERT_EQ(classes.size(), split.num_examples);
      for (std::size_t n = 0; n < classes.size(); ++n)
        ASSERT_EQ(classes[n], predicted_class(std::span(*expected).subspan(n * GetParam(), GetParam())))
            << hwy::TargetName(target) << ", " << n;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Classes, CodeClassifierOfClasses, ::testing::Values(1, 2, 10, 17, 33, 101, 270));

// Each hypothesis comes again with its votes turned round and a coefficient that differs by less than single
// precision knows: only the sums in double precision tell the classes.
TEST(CodeClassifier, TellsScoresApartThatAreCloserThanSinglePrecision) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  StrongClassifier model = random_model(world.features(), world.dataset, 60);
  for (std::size_t t = 0; t < 60; ++t) {
    Hypothesis turned = model.hypotheses[t];
    turned.alpha *= 1 + 1e-10;
    for (double& vote : turned.votes) vote = -vote;
    model.hypotheses.push_back(turned);
  }
  const Classes classes = classes_of(world, model);
  EXPECT_EQ(classes.ours, classes.predictors);
  std::vector<std::size_t> counts(3);
  for (const std::uint16_t own : classes.ours) ++counts[own];
  EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 0u);
}

TEST(CodeClassifier, EqualsThePredictorForAnyCoefficients) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  const std::vector<std::function<double(RandomStream&)>> laws{
      [](RandomStream&) { return 1.0; },
      [](RandomStream& stream) { return stream.normal(); },
      [](RandomStream& stream) { return std::exp(20 * stream.normal()); },
      [](RandomStream&) { return 0.0; },
      [](RandomStream& stream) { return 1e-310 * stream.uniform(); },
      [](RandomStream& stream) { return 1e300 * stream.uniform(); }};
  for (std::size_t i = 0; i < laws.size(); ++i) {
    SCOPED_TRACE(i);
    RandomStream stream(1, "test.coefficients");
    StrongClassifier model = random_model(world.features(), world.dataset, 150);
    for (Hypothesis& hypothesis : model.hypotheses) hypothesis.alpha = laws[i](stream);
    const Classes classes = classes_of(world, model);
    EXPECT_EQ(classes.ours, classes.predictors);
  }
}

// As large as a sum of tables gets: all say the same, then all say the opposite, and a stump decides. Two
// cuts each: many stumps of one feature have a table of their own.
TEST(CodeClassifier, AddsUpToTheEndsOfSixteenBits) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  StrongClassifier model = random_model(world.features(), world.dataset, 1);
  constexpr float kAlways = -std::numeric_limits<float>::infinity();
  for (const double sign : {1.0, -1.0})
    for (std::size_t t = 0; t < 64; ++t)
      model.hypotheses.push_back({1, {{0, 0, kAlways}, {0, 1, kAlways}}, {sign, -sign, sign}, {}});
  const Classes classes = classes_of(world, model);
  EXPECT_EQ(classes.ours, classes.predictors);
}

// Some features have enough stumps for a table of codes, others too few; none, one or all of them.
TEST(CodeClassifier, EqualsThePredictorForManyStumpsOfAFeature) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  RandomStream stream(1, "test.stumps");
  for (const std::size_t num_crowded : {0, 1, 4, 5, 7}) {
    SCOPED_TRACE(num_crowded);
    StrongClassifier model = random_model(world.features(), world.dataset, 0);
    for (std::uint32_t feature = 0; feature < kColumns; ++feature)
      for (std::size_t i = 0; i < (feature < num_crowded ? 40 : 3); ++i) {
        const auto code = std::uint32_t(stream.below(world.features().num_cuts(feature))) + 1;
        model.hypotheses.push_back({stream.uniform(-1, 1),
                                    {{0, feature, world.features().threshold(feature, code)}},
                                    {1, stream.below(2) ? 1. : -1., -1},
                                    {}});
      }
    const Classes classes = classes_of(world, model);
    EXPECT_EQ(classes.ours, classes.predictors);
  }
}

TEST(CodeClassifier, EqualsThePredictorForTreesAlone) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  const Classes classes = classes_of(world, random_model(world.features(), world.dataset, 30, 1));
  EXPECT_EQ(classes.ours, classes.predictors);
}

TEST(CodeClassifier, WithoutHypothesesSaysTheFirstClass) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  const Classes classes = classes_of(world, random_model(world.features(), world.dataset, 0));
  EXPECT_EQ(classes.ours, classes.predictors);
}

TEST(CodeClassifier, RefusesAnotherNumberOfFeatures) {
  const testing::World world(testing::learnable_table(100, kColumns, 2, 3));
  StrongClassifier model = random_model(world.features(), world.dataset, 1);
  model.families[0].dim = kColumns + 1;
  const auto classifier = CodeClassifier::make(model, world.features());
  ASSERT_FALSE(classifier.ok());
  EXPECT_EQ(classifier.error().message, "heuristic columns: found 7 features, the model was trained with 8");
}

TEST(CodeClassifier, NamesTheThresholdThatTheStoreDoesNotHave) {
  const testing::World world(testing::learnable_table(100, kColumns, 2, 3));
  StrongClassifier model = random_model(world.features(), world.dataset, 1);
  model.hypotheses = {
      {1, {{0, 2, 0.03125f}}, {1, -1}, {}}};  // values are multiples of 1/8, thresholds halfway between two
  const auto classifier = CodeClassifier::make(model, world.features());
  ASSERT_FALSE(classifier.ok());
  EXPECT_EQ(classifier.error().kind, ErrorKind::kInput);
  EXPECT_NE(classifier.error().message.find("feature 2 of columns: the store has no threshold 0.03125"),
            std::string::npos)
      << classifier.error().message;
}

}  // namespace
}  // namespace mash
