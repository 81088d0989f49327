// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/early_stopping.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::binary_model;
using testing::make_costs;
using testing::one_family;
using Unaffordable = BudgetRule::Unaffordable;

EvaluationOrder as_in_the_model(std::size_t num_hypotheses) {
  EvaluationOrder order(num_hypotheses);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

EvaluationOrder random_order(std::size_t num_hypotheses, RandomStream& stream) {
  EvaluationOrder order = as_in_the_model(num_hypotheses);
  stream.shuffle(std::span(order));
  return order;
}

// cells: 1 is a vote for class 0.
CellsOf answers(const std::vector<std::size_t>& cells) {
  return [&cells](std::span<const std::uint32_t> hypotheses, std::span<std::uint8_t> found) {
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = std::uint8_t(cells[hypotheses[i]]);
  };
}

// Nothing may be evaluated.
const CellsOf kNone = [](auto, auto) { throw std::runtime_error("evaluated"); };

TEST(EarlyStopping, WorkedNumbers) {
  const FeatureCosts costs = one_family({1, 2, 4, 8, 16});
  const auto stopping = *EarlyStopping::make(binary_model({.9, .5, .4, .3, .2}), as_in_the_model(5), costs);
  EXPECT_EQ(stopping.predict(answers({1, 1, 0, 1, 0})), (PaidPrediction{0, 2, 3}));  // 1.4 > .9
  EXPECT_EQ(stopping.predict(answers({0, 0, 1, 0, 1})), (PaidPrediction{1, 2, 3}));
  EXPECT_EQ(stopping.predict(answers({1, 0, 1, 1, 0})), (PaidPrediction{0, 3, 7}));  // .8 > .5
}

// All patterns of votes of eight hypotheses, some of whose sums are equal.
TEST(EarlyStopping, DecidesAsTheFullSumForAllVotes) {
  const std::vector<double> alphas{.4, .3, .3, .2, .1, .1, .7, .5};
  const StrongClassifier model = binary_model(alphas);
  const FeatureCosts costs = make_costs({equal_costs("f", 8, 1)});
  RandomStream stream(1, "test.patterns");
  double sum_evaluated = 0;
  for (int i = 0; i < 5; ++i) {
    const auto stopping = *EarlyStopping::make(model, random_order(8, stream), costs);
    for (std::size_t pattern = 0; pattern < 256; ++pattern) {
      std::vector<std::size_t> cells;
      for (std::size_t t = 0; t < 8; ++t) cells.push_back(pattern >> t & 1);
      const auto prediction = stopping.predict(answers(cells));
      EXPECT_EQ(prediction.predicted_class, predicted_class(testing::full_scores(model, cells))) << pattern;
      EXPECT_EQ(prediction.spent, double(prediction.num_evaluated));
      sum_evaluated += double(prediction.num_evaluated) / (5 * 256);
    }
  }
  EXPECT_LT(sum_evaluated, 7.5);
}

// The rule for two classes: |s_i| > r_i.
TEST(EarlyStopping, StopsAtTheFirstPlaceThatIsCertain) {
  const std::vector<double> alphas{.9, .5, .4, .3, .2, .15, .12};
  const FeatureCosts costs = make_costs({equal_costs("f", 7, 1)});
  const auto stopping = *EarlyStopping::make(binary_model(alphas), as_in_the_model(7), costs);
  for (std::size_t pattern = 0; pattern < 128; ++pattern) {
    double sum = 0, remaining = std::accumulate(alphas.begin(), alphas.end(), 0.0);
    std::size_t num_evaluated = 0;
    while (num_evaluated < 7 && std::abs(sum) <= remaining + 1e-9) {
      sum += pattern >> num_evaluated & 1 ? alphas[num_evaluated] : -alphas[num_evaluated];
      remaining -= alphas[num_evaluated++];
    }
    std::vector<std::size_t> cells;
    for (std::size_t t = 0; t < 7; ++t) cells.push_back(pattern >> t & 1);
    const auto prediction = stopping.predict(answers(cells));
    EXPECT_EQ(prediction.num_evaluated, num_evaluated) << pattern;
  }
}

RC_GTEST_PROP(EarlyStopping, DecidesAsTheModelWhateverItIs, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.early-stopping");
  const auto families = testing::random_families(stream);
  const FeatureCosts costs = make_costs(families);
  const std::size_t num_hypotheses = 1 + stream.below(60);
  const StrongClassifier model = testing::random_model(families, 2 + stream.below(4), num_hypotheses, stream);
  const auto stopping = *EarlyStopping::make(model, random_order(num_hypotheses, stream), costs);
  for (int n = 0; n < 10; ++n) {
    const auto cells = testing::random_cells(model, stream);
    RC_ASSERT(stopping.predict(answers(cells)).predicted_class ==
              predicted_class(testing::full_scores(model, cells)));
  }
}

// Once no rest of the votes leads to another class it need not go on; where some rest does, it must. Votes
// are (v,-v) of stumps on different features, so that all rests can come.
RC_GTEST_PROP(EarlyStopping, StopsNoLaterThanTwiceTheRemainingSum, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.early-stopping");
  const std::size_t num_hypotheses = 1 + stream.below(8), num_classes = 2 + stream.below(4);
  const FamilyCosts family = equal_costs("f", std::uint32_t(num_hypotheses), 1);
  StrongClassifier model = testing::model_on({family}, num_classes);
  for (std::uint32_t t = 0; t < num_hypotheses; ++t) {
    model.hypotheses.push_back(testing::stump(0, t, stream.uniform(0.01, 1), {}));
    for (std::size_t l = 0; l < num_classes; ++l)
      model.hypotheses[t].votes.push_back(stream.below(2) == 0 ? -1 : 1);
  }
  const auto cells = testing::random_cells(model, stream);
  const auto prediction = EarlyStopping::make(model, as_in_the_model(num_hypotheses), make_costs({family}))
                              ->predict(answers(cells));
  // Both rules, for the first i votes.
  const auto is_certain = [&](std::size_t i, bool by_twice_the_sum) {
    std::vector<double> scores =
        testing::full_scores(model, {cells.begin(), cells.begin() + std::ptrdiff_t(i)});
    const std::size_t best = predicted_class(scores);
    double remaining = 0;
    for (std::size_t t = i; t < num_hypotheses; ++t) remaining += model.hypotheses[t].alpha;
    bool certain = true;
    for (std::size_t l = 0; l < num_classes; ++l) {
      double against = 0;
      for (std::size_t t = i; t < num_hypotheses; ++t)
        against += model.hypotheses[t].alpha *
                   std::abs(model.hypotheses[t].votes[l] - model.hypotheses[t].votes[best]);
      if (l != best)
        certain = certain && scores[best] - scores[l] > (by_twice_the_sum ? 2 * remaining : against) + 1e-9;
    }
    return certain;
  };
  std::size_t first_by_pairs = 1, first_by_sum = 1;
  while (first_by_pairs < num_hypotheses && !is_certain(first_by_pairs, false)) ++first_by_pairs;
  while (first_by_sum < num_hypotheses && !is_certain(first_by_sum, true)) ++first_by_sum;
  RC_ASSERT(prediction.num_evaluated == first_by_pairs);
  RC_ASSERT(prediction.num_evaluated <= first_by_sum);
}

TEST(EarlyStopping, StopsOrSkipsWhereItCannotAfford) {
  const FeatureCosts costs = one_family({1, 5, 1, 1});
  const auto stopping = *EarlyStopping::make(binary_model({.3, .4, .2, .25}), as_in_the_model(4), costs);
  const std::vector<std::size_t> cells{1, 1, 0, 0};
  EXPECT_EQ(stopping.predict(answers(cells), stopping.plan({2, Unaffordable::kStop})),
            (PaidPrediction{0, 1, 1}));
  EXPECT_EQ(stopping.predict(answers(cells), stopping.plan({2, Unaffordable::kSkip})),
            (PaidPrediction{0, 1, 1}));  // .3 > .2: the last one is not paid for
  EXPECT_EQ(stopping.predict(answers(cells), stopping.plan({3, Unaffordable::kSkip})),
            (PaidPrediction{1, 3, 3}));
  EXPECT_EQ(stopping.predict(answers(cells), stopping.plan({6, Unaffordable::kStop})),
            (PaidPrediction{0, 2, 6}));  // .7 > .45
}

TEST(EarlyStopping, FeaturesAndSetUpsArePaidForOnce) {
  StrongClassifier model = testing::model_on({{"a", {1, 2}}, {"b", {4}}}, 2);
  model.hypotheses = {testing::stump(0, 0, .3), testing::stump(0, 0, .31), testing::stump(0, 1, .32),
                      testing::stump(1, 0, .33)};
  const FeatureCosts costs = make_costs({{"a", {1, 2}, 10}, {"b", {4}, 20}});
  const auto stopping = *EarlyStopping::make(model, as_in_the_model(4), costs);
  EXPECT_EQ(stopping.predict(answers({1, 0, 1, 0})).spent, 1 + 2 + 10 + 4 + 20);
  EXPECT_EQ(stopping.predict(answers({1, 1, 1, 0})), (PaidPrediction{0, 3, 13}));
}

// Before a feature is paid for, and after every sixteenth hypothesis that needs no new one.
TEST(EarlyStopping, IsNotAskedAfterEachHypothesisOfKnownFeatures) {
  StrongClassifier model = testing::model_on({{"f", {1, 1}}}, 2);
  const auto add = [&](std::uint32_t feature, std::size_t count, double alpha) {
    for (std::size_t i = 0; i < count; ++i) model.hypotheses.push_back(testing::stump(0, feature, alpha));
  };
  add(0, 1, 100);
  add(0, 39, 1);
  add(1, 20, 1);
  const FeatureCosts costs = one_family({1, 1});
  const auto stopping = *EarlyStopping::make(model, as_in_the_model(60), costs);
  std::vector<std::size_t> cells(60, 1);
  EXPECT_EQ(stopping.predict(answers(cells)), (PaidPrediction{0, 16, 1}));  // certain after the first
  model.hypotheses[0].alpha = 1;
  const auto late = *EarlyStopping::make(model, as_in_the_model(60), costs);
  EXPECT_EQ(late.predict(answers(cells)), (PaidPrediction{0, 32, 1}));  // certain after 31
  cells[0] = cells[1] = 0;
  EXPECT_EQ(late.predict(answers(cells)), (PaidPrediction{0, 40, 1}));  // 36 > 20: nothing more is paid for
  for (std::size_t t = 0; t < 10; ++t) cells[t] = 0;
  EXPECT_EQ(late.predict(answers(cells)), (PaidPrediction{0, 56, 2}));
}

TEST(EarlyStopping, PriorClassWhereNothingIsEvaluated) {
  const FeatureCosts costs = one_family({1});
  const auto stopping = *EarlyStopping::make(binary_model({1}), {0}, costs);
  EXPECT_EQ(stopping.predict(kNone, stopping.plan({.5, Unaffordable::kStop, 1})), (PaidPrediction{1, 0, 0}));
  EXPECT_EQ(stopping.predict(kNone, stopping.plan({.5, Unaffordable::kSkip, 1})), (PaidPrediction{1, 0, 0}));
  const auto empty = *EarlyStopping::make(testing::model_on({{"f", {1}}}, 2), {}, costs);
  EXPECT_EQ(empty.predict(kNone), (PaidPrediction{0, 0, 0}));
}

// Within a budget: never more than it, and the class of all that can be afforded, stopping early or not.
RC_GTEST_PROP(EarlyStopping, KeepsToTheBudget, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.early-stopping");
  const auto families = testing::random_families(stream);
  const FeatureCosts costs = make_costs(families);
  const std::size_t num_hypotheses = 1 + stream.below(60);
  const StrongClassifier model = testing::random_model(families, 2 + stream.below(3), num_hypotheses, stream);
  const EvaluationOrder order = random_order(num_hypotheses, stream);
  const auto stopping = *EarlyStopping::make(model, order, costs);
  const BudgetRule rule{stream.uniform(0, 8), stream.below(2) ? Unaffordable::kStop : Unaffordable::kSkip, 1};
  const auto cells = testing::random_cells(model, stream);

  std::vector<std::size_t> evaluated;
  const auto prediction = stopping.predict(
      [&](std::span<const std::uint32_t> hypotheses, std::span<std::uint8_t> found) {
        evaluated.insert(evaluated.end(), hypotheses.begin(), hypotheses.end());
        answers(cells)(hypotheses, found);
      },
      stopping.plan(rule));
  Purchases purchases(costs);
  for (const std::size_t t : evaluated) purchases.pay(costs.needs(model.hypotheses[t]));
  RC_ASSERT(prediction.num_evaluated == evaluated.size());
  RC_ASSERT(prediction.spent == purchases.spent());
  RC_ASSERT(is_within(prediction.spent, rule.budget));

  StrongClassifier affordable = testing::model_on(families, model.num_classes());
  std::vector<std::size_t> affordable_cells;
  std::vector<bool> is_in(num_hypotheses);
  Purchases all(costs, rule.budget);
  for (const std::uint32_t t : order) {
    const Needs needs = costs.needs(model.hypotheses[t]);
    is_in[t] = all.can_afford(all.unpaid(needs));
    if (is_in[t]) all.pay(needs);
    if (!is_in[t] && rule.unaffordable == Unaffordable::kStop) break;
  }
  for (std::size_t t = 0; t < num_hypotheses; ++t)
    if (is_in[t]) {
      affordable.hypotheses.push_back(model.hypotheses[t]);
      affordable_cells.push_back(cells[t]);
    }
  const std::size_t expected = affordable_cells.empty()
                                   ? rule.prior_class
                                   : predicted_class(testing::full_scores(affordable, affordable_cells));
  RC_ASSERT(prediction.predicted_class == expected);
}

TEST(EarlyStopping, RefusesWhatDoesNotFit) {
  const FeatureCosts costs = one_family({1, 1}), other = one_family({1});
  EXPECT_FALSE(EarlyStopping::make(binary_model({1, 1}), {0, 1}, other).ok());
  for (const EvaluationOrder& order : {EvaluationOrder{0}, {0, 0}, {0, 2}, {0, 1, 2}})
    EXPECT_THROW((void)EarlyStopping::make(binary_model({1, 1}), order, costs), std::logic_error);
  const auto three = *EarlyStopping::make(testing::model_on({{"f", {1, 1}}}, 3), {}, costs);
  EXPECT_THROW(three.predict_curtailed(kNone, {1, 1}), std::logic_error);
}

TEST(Curtailment, WorkedThresholds) {
  EXPECT_NEAR(curtailment_threshold(100, .01), 15.174, 5e-4);
  EXPECT_NEAR(curtailment_threshold(100, .05), 12.239, 5e-4);
  EXPECT_NEAR(curtailment_threshold(100, .1), 10.730, 5e-4);
  EXPECT_EQ(curtailment_threshold(0, .1), 0);
  EXPECT_THROW((void)curtailment_threshold(-1, .1), std::logic_error);
  EXPECT_THROW((void)curtailment_threshold(1, 0), std::logic_error);
  EXPECT_THROW((void)curtailment_threshold(1, 1), std::logic_error);
}

TEST(Curtailment, EachClassHasTheThresholdOfTheOthersSpread) {
  // Half differences: 1 and 3 of class 0, whose variance is 2; -1, -2 and -6 of class 1, whose variance is 7.
  const std::vector<double> scores{1, -1, 3, -3, -1, 1, -2, 2, -6, 6};
  const std::vector<std::uint16_t> labels{0, 0, 1, 1, 1};
  const auto thresholds = curtailment_thresholds(scores, labels, .1);
  ASSERT_TRUE(thresholds.ok());
  EXPECT_NEAR((*thresholds)[0], curtailment_threshold(7, .1), 1e-12);
  EXPECT_NEAR((*thresholds)[1], curtailment_threshold(2, .1), 1e-12);
}

TEST(Curtailment, RefusesExamplesThatSayNothing) {
  const auto refusal = [](std::vector<double> scores, std::vector<std::uint16_t> labels) {
    const auto thresholds = curtailment_thresholds(scores, labels, .1);
    return thresholds.ok() ? "accepted" : thresholds.error().message;
  };
  EXPECT_EQ(refusal({1, 0, 2, 0, 0, 1}, {0, 0, 1}),
            "curtailment: found 1 examples of class 1, expected at least two");
  EXPECT_EQ(refusal({1, 0, 2, 0, 0, 1}, {0, 0, 2}), "curtailment: found class 2, expected two classes");
  EXPECT_EQ(refusal({1, 0, 2, 0, 0, 1, 0, 1}, {0, 0, 1, 1}),
            "curtailment: the scores of class 1 are all equal");
  EXPECT_THROW((void)curtailment_thresholds(std::vector<double>(3), std::vector<std::uint16_t>(2), .1),
               std::logic_error);
}

// Walks of 400 steps of 1 that end within 2 of 0; their variance is 400.
TEST(Curtailment, BridgesCrossTheThresholdAsOftenAsTheLawSays) {
  const StrongClassifier model = binary_model(std::vector<double>(400, 1));
  const FeatureCosts costs = make_costs({equal_costs("f", 400, 1)});
  const auto stopping = *EarlyStopping::make(model, as_in_the_model(400), costs);
  // By reflection the rates are .0447, .0901 and .1994, close to delta as Brownian bridges have it.
  for (const auto& [delta, rate] : {std::pair(.05, .0447), {.1, .0901}, {.2, .1994}}) {
    const std::array<double, 2> thresholds{curtailment_threshold(400, delta), Purchases::kUnlimited};
    RandomStream stream(1, "test.bridges");
    const int num_walks = 4000;
    // Ends at -2, 0 and 2, as often as such walks do: 199 to 201 of the steps are up.
    double crossed = 0;
    for (int i = 0; i < num_walks; ++i) {
      std::vector<std::size_t> cells(400);
      std::fill_n(cells.begin(), 199 + std::size_t(i % 3), 1u);
      stream.shuffle(std::span(cells));
      // One that crosses comes back to 2 or less, so it has at least 16 steps to go.
      const auto prediction = stopping.predict_curtailed(answers(cells), thresholds);
      const bool has_crossed = prediction.num_evaluated < 385;
      EXPECT_TRUE(!has_crossed || prediction.predicted_class == 0);
      crossed += has_crossed;
    }
    EXPECT_NEAR(crossed / num_walks, rate, 4 * std::sqrt(rate / num_walks)) << delta;
  }
}

// Two hundred votes, each right with a probability between .5 and .62.
TEST(Curtailment, DisagreesWithTheSignOfTheSumAsRarelyAsItSays) {
  RandomStream stream(3, "test.curtailment");
  std::vector<double> alphas, chances;
  for (int t = 0; t < 200; ++t) {
    chances.push_back(stream.uniform(.5, .62));
    alphas.push_back(.5 * std::log(chances.back() / (1 - chances.back())) + .05);
  }
  const StrongClassifier model = binary_model(alphas);
  const FeatureCosts costs = make_costs({equal_costs("f", 200, 1)});
  const auto stopping = *EarlyStopping::make(model, *order_by_worth(model, costs), costs);
  const auto example = [&](std::uint16_t label) {
    std::vector<std::size_t> cells;
    for (const double chance : chances) cells.push_back((stream.uniform() < chance) == (label == 0));
    return cells;
  };
  std::vector<double> scores;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 1000; ++n) {
    labels.push_back(std::uint16_t(n % 2));
    const auto both = testing::full_scores(model, example(labels.back()));
    scores.insert(scores.end(), both.begin(), both.end());
  }
  double before = 0;
  for (const double delta : {.2, .1, .05, .01}) {
    const auto thresholds = *curtailment_thresholds(scores, labels, delta);
    double disagree = 0, evaluated = 0, exact = 0;
    for (int n = 0; n < 2000; ++n) {
      const auto cells = example(std::uint16_t(n % 2));
      const auto prediction = stopping.predict_curtailed(answers(cells), thresholds);
      disagree += prediction.predicted_class != predicted_class(testing::full_scores(model, cells));
      evaluated += double(prediction.num_evaluated) / 2000;
      exact += double(stopping.predict(answers(cells)).num_evaluated) / 2000;
    }
    EXPECT_LE(disagree / 2000, delta);
    EXPECT_LT(evaluated, .9 * exact);
    EXPECT_GT(evaluated, before);
    before = evaluated;
  }
}

}  // namespace
}  // namespace mash
