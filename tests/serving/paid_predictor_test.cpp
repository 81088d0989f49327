// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/paid_predictor.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <vector>

#include "classifiers/serving/predictor.hpp"
#include "framework/base/random.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Unaffordable = BudgetRule::Unaffordable;

constexpr float kConstant = -std::numeric_limits<float>::infinity();

Catalogue plugins() {
  return Catalogue::scan(std::vector{std::filesystem::path(testing::binary_folder()) / "heuristics"});
}

// 12 x 12 pictures of noise, grey or in colour.
Split pictures(std::size_t num_examples, const ImageShape& shape) {
  RandomStream stream(1, "paid.pictures");
  Split split;
  split.num_examples = num_examples;
  split.pixels.resize(num_examples * shape.num_bytes());
  for (std::uint8_t& pixel : split.pixels) pixel = std::uint8_t(stream.below(256));
  return split;
}

// Stumps, products and trees on two families.
StrongClassifier model_of_pictures(const ImageShape& shape, std::size_t num_hypotheses,
                                   Catalogue& catalogue) {
  RandomStream stream(2, "paid.model");
  StrongClassifier model;
  model.class_names = {"a", "b", "c"};
  model.shape = shape;
  for (const char* id : {"identity", "lbp"}) {
    const HeuristicInfo& info = **catalogue.find(id);
    std::vector<double> values;
    for (const ParameterInfo& parameter : info.parameters) values.push_back(parameter.default_value);
    const auto instance = *catalogue.host().open(info, values);
    model.families.push_back({id, id, info.version, values, *instance->dim({shape.width, shape.height})});
  }
  for (std::size_t t = 0; t < num_hypotheses; ++t) {
    Hypothesis& hypothesis = model.hypotheses.emplace_back();
    hypothesis.alpha = stream.uniform(0.01, 1);
    const std::size_t num_cuts = 1 + stream.below(3);
    for (std::size_t i = 0; i < num_cuts; ++i) {
      const auto family = std::uint32_t(stream.below(2));
      const auto feature = std::uint32_t(stream.below(model.families[family].dim));
      const float threshold = family == 0 ? float(stream.below(256)) : float(stream.below(3));
      hypothesis.cuts.push_back({family, feature, stream.below(9) == 0 ? kConstant : threshold});
    }
    if (stream.below(3) == 0)
      for (std::int32_t i = 0; i < std::int32_t(num_cuts); ++i)  // a chain
        hypothesis.branches.push_back({-1 - i, i + 1 < std::int32_t(num_cuts) ? i + 1 : -2 - i});
    const std::size_t num_rows = hypothesis.is_tree() ? hypothesis.num_cells() : 1;
    for (std::size_t i = 0; i < num_rows * 3; ++i) hypothesis.votes.push_back(stream.uniform(-1, 1));
  }
  return model;
}

FeatureCosts random_costs_of(const StrongClassifier& model) {
  std::vector<FamilyCosts> families;
  for (const ModelFamily& family : model.families) {
    families.push_back(random_costs(family.name, family.dim, 3));
    families.back().setup = 2.5;
  }
  return *FeatureCosts::make(std::move(families));
}

class PaidPictures : public ::testing::TestWithParam<std::uint32_t> {  // the number of channels
 protected:
  ImageShape shape{12, 12, GetParam()};
  Catalogue catalogue = plugins();
  StrongClassifier model = model_of_pictures(shape, 80, catalogue);
  Split split = pictures(150, shape);
};

TEST_P(PaidPictures, WithoutALimitHaveTheClassesOfThePredictor) {
  const auto plain = Predictor::open(model, catalogue);
  const auto paid = PaidPredictor::open(model, random_costs_of(model), catalogue);
  ASSERT_TRUE(plain.ok() && paid.ok());
  const auto predictions = paid->predict(split, {}, Workers(2));
  ASSERT_TRUE(predictions.ok()) << predictions.error().message;
  EXPECT_EQ(classes_of(*predictions), predicted_classes(*plain->scores(split, Workers(1)), 3));
  const bool stopped_early =
      std::any_of(predictions->begin(), predictions->end(),
                  [&](const PaidPrediction& one) { return one.num_evaluated < model.hypotheses.size(); });
  EXPECT_TRUE(stopped_early);
}

// Affordable hypotheses are worked out from the costs alone; the class is that of those hypotheses.
TEST_P(PaidPictures, WithinABudgetHaveTheClassOfWhatItPays) {
  const FeatureCosts costs = random_costs_of(model);
  const auto paid = PaidPredictor::open(model, costs, catalogue);
  ASSERT_TRUE(paid.ok());
  for (const double budget : {0.0, 3.0, 8.0, 20.0, 60.0}) {
    StrongClassifier admitted = model;
    admitted.hypotheses.clear();
    Purchases purchases(costs, budget);
    for (const Hypothesis& hypothesis : model.hypotheses) {
      const Needs needs = costs.needs(hypothesis);
      if (!purchases.can_afford(purchases.unpaid(needs))) continue;
      purchases.pay(needs);
      admitted.hypotheses.push_back(hypothesis);
    }
    const auto plain = Predictor::open(admitted, catalogue);
    const auto predictions = paid->predict(split, {budget, Unaffordable::kSkip, 0}, Workers(1));
    ASSERT_TRUE(predictions.ok());
    EXPECT_EQ(classes_of(*predictions), predicted_classes(*plain->scores(split, Workers(1)), 3)) << budget;
    for (const PaidPrediction& one : *predictions) ASSERT_LE(one.spent, budget * (1 + 1e-9));
  }
}

TEST_P(PaidPictures, AreTheSameForAnyNumberOfThreads) {
  const auto paid = PaidPredictor::open(model, random_costs_of(model), catalogue);
  const BudgetRule rule{20, Unaffordable::kStop, 1};
  const auto expected = *paid->predict(split, rule, Workers(1));
  for (const int num_threads : {2, 3, 8})
    EXPECT_EQ(*paid->predict(split, rule, Workers(num_threads)), expected);
}

// The votes of the cells, added up, are the scores of the examples that were asked for.
TEST_P(PaidPictures, FallIntoTheCellsOfTheirScores) {
  const std::vector<std::uint32_t> examples{149, 0, 70, 70};
  const auto paid = PaidPredictor::open(model, random_costs_of(model), catalogue);
  const auto cells = paid->cells(split, examples, Workers(2));
  ASSERT_TRUE(cells.ok()) << cells.error().message;
  ASSERT_EQ(cells->size(), model.hypotheses.size());
  const auto scores = *Predictor::open(model, catalogue)->scores(split, Workers(1));
  for (std::size_t i = 0; i < examples.size(); ++i)
    for (std::size_t l = 0; l < 3; ++l) {
      double sum = 0;
      for (std::size_t t = 0; t < cells->size(); ++t)
        sum += model.hypotheses[t].alpha * cell_votes(model.hypotheses[t])[(*cells)[t][i] * 3 + l];
      ASSERT_NEAR(sum, scores[examples[i] * 3 + l], 1e-9) << "example " << examples[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Channels, PaidPictures, ::testing::Values(1u, 3u));

TEST(PaidPredictor, TakesTheColumnsOfATable) {
  StrongClassifier model;
  model.class_names = {"no", "yes"};
  model.column_names = {"x", "y"};
  model.families = {{"columns", "columns", "1.0.0", {}, 2}};
  model.hypotheses = {{0.5, {{0, 1, 1.5f}}, {-1, 1}, {}}, {0.25, {{0, 0, 0.f}}, {-1, 1}, {}}};
  Catalogue catalogue = Catalogue::scan({});
  const auto paid = PaidPredictor::open(model, *FeatureCosts::make({{"columns", {1, 10}, 0}}), catalogue);
  ASSERT_TRUE(paid.ok());
  Split split;
  split.num_examples = 2;
  split.values = {1, 1, -1, 2};
  EXPECT_THAT(*paid->predict(split, {}, Workers(1)),
              ElementsAre(PaidPrediction{0, 1, 10}, PaidPrediction{1, 1, 10}));
  EXPECT_THAT(*paid->predict(split, {9, Unaffordable::kSkip, 0}, Workers(1)),
              ElementsAre(PaidPrediction{1, 1, 1}, PaidPrediction{0, 1, 1}));
}

// A table of one column, and hypotheses on it.
std::vector<PaidPrediction> predictions_on_column(std::vector<Hypothesis> hypotheses,
                                                  std::vector<float> column) {
  StrongClassifier model;
  model.class_names = {"no", "yes"};
  model.column_names = {"x"};
  model.families = {{"columns", "columns", "1.0.0", {}, 1}};
  model.hypotheses = std::move(hypotheses);
  Catalogue catalogue = Catalogue::scan({});
  const auto paid = PaidPredictor::open(model, *FeatureCosts::make({{"columns", {10}, 0}}), catalogue);
  Split split;
  split.num_examples = column.size();
  split.values = std::move(column);
  return *paid->predict(split, {}, Workers(1));
}

// Also when a cut is not the first that asks for the value.
TEST(PaidPredictor, WhatIsMissingIsBelowEveryCut) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(predictions_on_column({{0.4, {{0, 0, 1.5f}}, {-1, 1}, {}}, {0.5, {{0, 0, -5.f}}, {-1, 1}, {}}},
                                    {missing, 0, 2}),
              ElementsAre(PaidPrediction{0, 2, 10}, PaidPrediction{1, 2, 10}, PaidPrediction{1, 2, 10}));
}

TEST(PaidPredictor, TreesHaveUpTo255Leaves) {
  Hypothesis tree{1, {}, {}, {}};
  for (std::int32_t i = 0; i < 254; ++i) {
    tree.cuts.push_back({0, 0, float(254 - i)});
    tree.branches.push_back({i < 253 ? i + 1 : -255, -1 - i});
    tree.votes.insert(tree.votes.end(), {1, 0});
  }
  tree.votes.insert(tree.votes.end(), {0, 1});  // of the last leaf
  ASSERT_EQ(tree.num_cells(), Hypothesis::kMaxLeaves);
  EXPECT_THAT(predictions_on_column({tree}, {0, 1, 254}),
              ElementsAre(PaidPrediction{1, 1, 10}, PaidPrediction{0, 1, 10}, PaidPrediction{0, 1, 10}));
}

TEST(PaidPredictor, RefusesWhatItCannotDo) {
  Catalogue catalogue = plugins();
  StrongClassifier model = model_of_pictures({12, 12, 1}, 5, catalogue);
  const auto other = PaidPredictor::open(model, *FeatureCosts::make({{"identity", {1}, 0}}), catalogue);
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, HasSubstr("found 1 families, the model was trained with 2"));
  model.class_names = {"all"};
  const auto one_class = PaidPredictor::open(model, random_costs_of(model), catalogue);
  ASSERT_FALSE(one_class.ok());
  EXPECT_THAT(one_class.error().message, HasSubstr("expected at least two"));
}

}  // namespace
}  // namespace mash
