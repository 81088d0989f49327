// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/code_classifier.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <vector>

#include "classifiers/model/predictor.hpp"
#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr std::size_t kTrain = 2000, kColumns = 7;

// Stumps, products and trees in turn (trees only now and then, so that groups of all lengths come up), their
// thresholds those of the store.
StrongClassifier random_model(const FeatureSet& features, const Dataset& dataset,
                              std::size_t num_hypotheses) {
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
    if (stream.below(20) == 0)
      for (std::int32_t i = 0; i < std::int32_t(num_cuts); ++i)  // a chain
        hypothesis.branches.push_back({-1 - i, i + 1 < std::int32_t(num_cuts) ? i + 1 : -2 - i});
    const std::size_t num_rows = hypothesis.is_tree() ? hypothesis.num_cells() : 1;
    for (std::size_t i = 0; i < num_rows * model.num_classes(); ++i)
      hypothesis.votes.push_back(stream.below(2) == 0 ? 1 : -1);
  }
  return model;
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
INSTANTIATE_TEST_SUITE_P(Classes, CodeClassifierOfClasses, ::testing::Values(1, 2, 10, 101));

// Each hypothesis comes again with its votes turned round and a coefficient that differs by less than single
// precision knows: only the sums in double precision tell the classes.
TEST(CodeClassifier, TellsScoresApartThatAreCloserThanSinglePrecision) {
  const testing::World world(testing::learnable_table(kTrain, kColumns, 3, 3));
  StrongClassifier model = random_model(world.features(), world.dataset, 60);
  for (std::size_t t = 0; t < 60; ++t) {
    Hypothesis turned = model.hypotheses[t];
    turned.alpha *= 1 + 1e-10;
    for (std::int8_t& vote : turned.votes) vote = std::int8_t(-vote);
    model.hypotheses.push_back(turned);
  }
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(model, catalogue);
  const auto classifier = CodeClassifier::make(model, world.features());
  ASSERT_TRUE(classifier.ok() && predictor.ok());
  const auto scores = predictor->scores(world.dataset.test, Workers(1));
  const auto classes = classifier->classes(classifier->read(Side::kTest, Workers(1)), Workers(1));
  std::vector<std::size_t> counts(3);
  for (std::size_t n = 0; n < classes.size(); ++n) {
    ASSERT_EQ(classes[n], predicted_class(std::span(*scores).subspan(n * 3, 3))) << n;
    ++counts[classes[n]];
  }
  EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 0u);
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
