// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/evaluation_order.hpp"

#include <rapidcheck/gtest.h>

#include <numeric>

#include "classifiers/budget/score_gains.hpp"
#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::binary_model;
using testing::make_costs;
using testing::one_family;
using AllCells = std::vector<std::vector<std::uint8_t>>;

EvaluationOrder by_decisions(const StrongClassifier& model, const FeatureCosts& costs, const AllCells& cells,
                             int num_threads = 1) {
  return *order_by_decisions(model, costs, cells, Workers(num_threads));
}

AllCells random_columns(const StrongClassifier& model, std::size_t num_examples, RandomStream& stream) {
  AllCells cells(model.hypotheses.size());
  for (std::size_t n = 0; n < num_examples; ++n) {
    const auto row = testing::random_cells(model, stream);
    for (std::size_t t = 0; t < row.size(); ++t) cells[t].push_back(std::uint8_t(row[t]));
  }
  return cells;
}

TEST(OrderByWorth, DecreasingCoefficientPerCost) {
  const auto order = [](const std::vector<double>& alphas, std::vector<double> costs) {
    return *order_by_worth(binary_model(alphas), one_family(std::move(costs)));
  };
  EXPECT_THAT(order({.9, .5, .4, .3, .2}, {1, 1, 1, 1, 1}), ::testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(order({.9, .5, -.4}, {3, 1, .5}), ::testing::ElementsAre(2, 1, 0));
  EXPECT_THAT(order({.2, .4, .2}, {1, 2, 0}), ::testing::ElementsAre(2, 0, 1)) << "free, then ties in order";
}

TEST(OrderByWorth, SetUpsCount) {
  StrongClassifier model = testing::model_on({{"a", {1}}, {"b", {1}}}, 2);
  model.hypotheses = {testing::stump(0, 0, .9), testing::stump(1, 0, .3)};
  EXPECT_THAT(*order_by_worth(model, make_costs({{"a", {1}, 4}, {"b", {1}}})), ::testing::ElementsAre(1, 0));
}

TEST(OrderByDecisions, TheOneThatDecidesMostExamplesComesFirst) {
  // Nothing is decided but by the second one, whose coefficient is larger than all others together.
  const StrongClassifier model = binary_model({.3, .9, .2});
  EXPECT_THAT(by_decisions(model, one_family({1, 1, 1}), {{0, 1}, {1, 0}, {1, 1}}),
              ::testing::ElementsAre(1, 0, 2));
  // It decides two of two examples, so that even a hundred times the cost of the first, with .21, is too
  // much.
  EXPECT_THAT(by_decisions(model, one_family({1, 100, 1}), {{0, 1}, {1, 0}, {1, 1}}),
              ::testing::ElementsAre(0, 2, 1));
  EXPECT_THAT(by_decisions(model, one_family({1, 5, 1}), {{0, 1}, {1, 0}, {1, 1}}),
              ::testing::ElementsAre(1, 0, 2));
}

TEST(OrderByDecisions, WithoutExamplesByCoefficientPerUnpaidCost) {
  // Feature 0 serves the first and the last.
  StrongClassifier model = binary_model({.5, .4, .3});
  model.hypotheses[2].cuts[0].feature_idx = 0;
  const FeatureCosts costs = make_costs({{"f", {1, 1, 1}}});
  EXPECT_THAT(by_decisions(model, costs, AllCells(3)), ::testing::ElementsAre(0, 2, 1));
}

TEST(OrderByDecisions, AModelWithoutHypothesesHasAnEmptyOrder) {
  EXPECT_TRUE(by_decisions(testing::model_on({{"f", {1}}}, 2), one_family({1}), {}).empty());
}

// The same order, made once more without keeping anything from step to step. slack: added to what remains.
EvaluationOrder reference(const StrongClassifier& model, const FeatureCosts& costs, const AllCells& cells,
                          double slack = 0) {
  const ScoreGains gains(model);
  const std::size_t num_hypotheses = model.hypotheses.size(), num_classes = model.num_classes();
  double sum_of_reaches = 0;
  for (std::size_t t = 0; t < num_hypotheses; ++t) sum_of_reaches += gains.reach(t);
  // How many examples are decided after these hypotheses, or after fewer of them: what is certain once stays
  // so, also while another class leads for the time being.
  const auto decided = [&](const EvaluationOrder& placed) {
    std::vector<bool> result(cells[0].size());
    for (std::size_t num_placed = 0; num_placed <= placed.size(); ++num_placed) {
      const auto begin = placed.begin(), end = placed.begin() + std::ptrdiff_t(num_placed);
      std::vector<double> remaining(num_classes * num_classes, slack);
      for (std::uint32_t t = 0; t < num_hypotheses; ++t)
        if (std::find(begin, end, t) == end)
          for (std::size_t i = 0; i < remaining.size(); ++i) remaining[i] += gains.catch_up(t)[i];
      for (std::size_t n = 0; n < cells[0].size(); ++n) {
        std::vector<double> scores(num_classes);
        for (auto t = begin; t != end; ++t) gains.add(*t, cells[*t][n], scores);
        if (gains.certain_class(scores, remaining)) result[n] = true;
      }
    }
    return std::count(result.begin(), result.end(), true);
  };
  EvaluationOrder order;
  while (order.size() < num_hypotheses) {
    Purchases purchases(costs);
    for (const std::uint32_t t : order) purchases.pay(costs.needs(model.hypotheses[t]));
    const auto num_before = decided(order);
    std::pair<double, std::uint32_t> best{-1, 0};
    for (std::uint32_t t = 0; t < num_hypotheses; ++t) {
      if (std::find(order.begin(), order.end(), t) != order.end()) continue;
      EvaluationOrder with = order;
      with.push_back(t);
      const double merit = (double(decided(with) - num_before) + gains.reach(t) / sum_of_reaches) /
                           (purchases.unpaid(costs.needs(model.hypotheses[t])).total() + costs.evaluation());
      if (merit > best.first) best = {merit, t};
    }
    order.push_back(best.second);
  }
  return order;
}

RC_GTEST_PROP(OrderByDecisions, IsTheGreedyOne, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.order");
  const auto families = testing::random_families(stream);
  const FeatureCosts costs = make_costs(families);
  const StrongClassifier model =
      testing::random_model(families, 2 + stream.below(3), 1 + stream.below(8), stream);
  const AllCells cells = random_columns(model, 1 + stream.below(40), stream);
  const EvaluationOrder order = by_decisions(model, costs, cells);
  // Where an example is just about decided, the order in which sums are made may decide.
  RC_PRE(reference(model, costs, cells, 1e-9) == reference(model, costs, cells, -1e-9));
  RC_ASSERT(order == reference(model, costs, cells));
  RC_ASSERT(order == by_decisions(model, costs, cells, 3));
}

RC_GTEST_PROP(OrderByWorth, IsAPermutation, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.order");
  const auto families = testing::random_families(stream);
  const StrongClassifier model = testing::random_model(families, 2, stream.below(9), stream);
  EvaluationOrder order = *order_by_worth(model, make_costs(families));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(order[i] == i);
  RC_ASSERT(order.size() == model.hypotheses.size());
}

TEST(Orders, RefuseWhatDoesNotFit) {
  const StrongClassifier model = binary_model({1, 1});
  const FeatureCosts other = one_family({1}), costs = one_family({1, 1});
  EXPECT_FALSE(order_by_worth(model, other).ok());
  EXPECT_FALSE(order_by_decisions(model, other, AllCells(2), Workers(1)).ok());
  EXPECT_THROW((void)order_by_decisions(model, costs, AllCells(1), Workers(1)), std::logic_error);
  EXPECT_THROW((void)order_by_decisions(model, costs, AllCells{{1}, {1, 0}}, Workers(1)), std::logic_error);
  EXPECT_THROW((void)order_by_decisions(model, costs, AllCells{{7}, {1}}, Workers(1)), std::logic_error);
}

}  // namespace
}  // namespace mash
