// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/selection.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::make_costs;
using testing::one_family;

const SelectionRule* rule(std::string_view name) { return *find_selection_rule(name); }
SelectionSettings settings_of(std::string_view name, CostMode mode = CostMode::kOriginal) {
  return {.rule = rule(name), .cost_mode = mode};
}

// The candidates of the worked numbers, features 0 to 2 with these costs.
const std::vector<FeatureEdge> kOffered{{0, .30}, {1, .20}, {2, .05}};
const std::vector<double> kOfferedCosts{2, .5, .05};

void expect_merits(Merit merit, double spent, std::vector<double> expected) {
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(merit(kOffered[i].edge, kOfferedCosts[i], spent), expected[i], 5.1e-6) << i;
  const auto largest = std::max_element(expected.begin(), expected.end()) - expected.begin();
  std::vector<double> found;
  for (std::size_t i = 0; i < 3; ++i) found.push_back(merit(kOffered[i].edge, kOfferedCosts[i], spent));
  EXPECT_EQ(std::max_element(found.begin(), found.end()) - found.begin(), largest);
}

TEST(Merits, WorkedNumbers) {
  expect_merits(edge_merit, 0, {.30, .20, .05});
  expect_merits(greedy_merit, 0, {.04716, .08164, .05006});
  expect_merits(speedboost_merit, 0, {.02303, .04041, .02502});
  expect_merits(smoothed_merit, 5, {.01347, .00742, .00050});
  expect_merits(smoothed_merit, .3, {.04100, .05103, .00715});
  expect_merits(smoothed_merit, .1 * 5, {.03772, .04082, .00455});
  expect_merits(smoothed_merit, 0, {.04716, .08164, .05006});  // the first round is that of greedy
}

// With l the losses before the step, the step removes sum l (1 - sqrt(1 - edge^2)) of them.
TEST(Merits, SpeedBoostIsTheLossThatTheStepRemoves) {
  RandomStream stream(1, "test.speedboost");
  double sum = 0, signed_sum = 0;
  std::vector<std::pair<double, double>> examples;  // the loss, and y h
  for (int n = 0; n < 50; ++n) {
    const double loss = std::exp(stream.normal()), agreement = stream.below(3) > 0 ? 1 : -1;
    examples.emplace_back(loss, agreement);
    sum += loss;
    signed_sum += loss * agreement;
  }
  const double edge = signed_sum / sum, alpha = 0.5 * std::log((1 + edge) / (1 - edge));
  ASSERT_GT(edge, 0);
  double removed = 0;
  for (const auto& [loss, agreement] : examples) removed += loss - loss * std::exp(-alpha * agreement);
  EXPECT_NEAR(removed, sum * speedboost_merit(edge, 1, 0), 1e-12 * sum);
}

TEST(Merits, HalfOfGreedyIsNearlySpeedBoostForSmallEdges) {
  for (double edge = 1e-9; edge < .1; edge *= 1.5)
    EXPECT_NEAR(greedy_merit(edge, 2, 0) / 2 / speedboost_merit(edge, 2, 0), 1, .01) << edge;
}

TEST(Merits, TinyEdgesAreToldApart) {
  for (const Merit merit : {greedy_merit, speedboost_merit})
    for (const double edge : {1e-12, 1e-9, 1e-5}) {
      EXPECT_GT(merit(edge, 1, 0), 0) << edge;
      EXPECT_GT(merit(2 * edge, 1, 0), 3.9 * merit(edge, 1, 0)) << edge;
    }
  EXPECT_NEAR(greedy_merit(1e-9, 1, 0) / 1e-18, 1, 1e-9);
  EXPECT_NEAR(greedy_merit(.3, 1, 0), -std::log(1 - .09), 1e-15);
}

TEST(Merits, PerfectEdgeIsHeldFinite) {
  for (const SelectionRule& row : selection_rules()) {
    EXPECT_TRUE(std::isfinite(row.merit(1, 1, 1))) << row.name;
    EXPECT_EQ(row.merit(1, 1, 1), row.merit(1 + 1e-15, 1, 1)) << row.name;
    EXPECT_GE(row.merit(1, 1, 1), row.merit(1 - 1e-6, 1, 1)) << row.name;
    EXPECT_EQ(row.merit(0, 1, 1), 0) << row.name;
    EXPECT_THROW(row.merit(-.1, 1, 1), std::logic_error) << row.name;
    EXPECT_THROW(row.merit(std::nan(""), 1, 1), std::logic_error) << row.name;
  }
  EXPECT_NEAR(greedy_merit(1, 1, 0), -std::log(2e-12), 1e-3);
}

TEST(SelectionRules, AreFoundByName) {
  std::string_view before;
  for (const SelectionRule& row : selection_rules()) {
    EXPECT_EQ(rule(row.name), &row);
    EXPECT_LT(before, row.name);
    EXPECT_FALSE(row.summary.empty());
    before = row.name;
  }
  const auto unknown = find_selection_rule("gredy");
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message, ::testing::HasSubstr("did you mean 'greedy'"));
  EXPECT_THAT(unknown.error().message,
              ::testing::HasSubstr("adaboost-bt, greedy, hybrid, smoothed, speedboost"));
}

TEST(BudgetedSelection, ChoosesAsTheWorkedNumbersSay) {
  const FeatureCosts costs = one_family(kOfferedCosts);
  const auto chosen = [&](std::string_view name) {
    BudgetedSelection selection(settings_of(name), costs, 10);
    selection.begin_round(kOffered);
    return *selection.choose(kOffered);
  };
  EXPECT_EQ(chosen("adaboost-bt"), 0u);
  EXPECT_EQ(chosen("greedy"), 1u);
  EXPECT_EQ(chosen("speedboost"), 1u);
  EXPECT_EQ(chosen("smoothed"), 1u);
  EXPECT_EQ(chosen("hybrid"), 1u);
}

// Feature 3 costs what is spent before the choice.
TEST(BudgetedSelection, SmoothedComesRoundToTheEdgeAsTheBudgetIsSpent) {
  const auto chosen = [](double spent, double tau) {
    std::vector<double> list = kOfferedCosts;
    list.push_back(spent);
    const FeatureCosts costs = one_family(list);
    SelectionSettings settings = settings_of("smoothed");
    settings.tau = tau;
    BudgetedSelection selection(settings, costs, 10);
    selection.pay(costs.needs(testing::stump(0, 3)));
    return *selection.choose(kOffered);
  };
  EXPECT_EQ(chosen(5, 1), 0u);
  EXPECT_EQ(chosen(.3, 1), 1u);
  EXPECT_EQ(chosen(5, .1), 1u);
}

RC_GTEST_PROP(BudgetedSelection, AllRulesAgreeWhereCostsAreEqual, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.equal-costs");
  const FeatureCosts costs = make_costs({equal_costs("f", 30, stream.uniform(0.01, 5))});
  std::vector<BudgetedSelection> selections;
  for (const SelectionRule& row : selection_rules())
    selections.emplace_back(settings_of(row.name), costs, 20);
  for (int round = 0; round < 15; ++round) {
    std::vector<FeatureEdge> offered;
    for (std::uint32_t j = 0; j < 30; ++j) offered.push_back({j, stream.uniform(0, .6)});
    std::optional<std::size_t> first;
    for (BudgetedSelection& selection : selections) {
      selection.begin_round(offered);
      const auto chosen = selection.choose(offered);
      if (!first) first = chosen;
      RC_ASSERT(chosen == first);
      const Needs needs = costs.needs(testing::stump(0, offered[*chosen].feature));
      if (selection.can_afford(needs)) selection.pay(needs);
    }
  }
}

TEST(BudgetedSelection, TiesGoToTheCheaperThenToTheLowerFeature) {
  const FeatureCosts costs = one_family({3, 1, 1, 2});
  const BudgetedSelection selection(settings_of("adaboost-bt"), costs, 10);
  const auto feature = [&](std::vector<FeatureEdge> offered) {
    return offered[*selection.choose(offered)].feature;
  };
  EXPECT_EQ(feature({{0, .2}, {3, .2}}), 3u);
  EXPECT_EQ(feature({{2, .2}, {1, .2}, {0, .2}}), 1u);
  EXPECT_EQ(feature({{0, .2 + 1e-15}, {3, .2}}), 3u) << "by rounding";
  EXPECT_EQ(feature({{0, .2 + 1e-6}, {3, .2}}), 0u);
  EXPECT_EQ(feature({{0, 0}, {3, 0}}), 3u);
}

TEST(BudgetedSelection, NothingOfferedIsNothingChosen) {
  const FeatureCosts costs = one_family({1});
  EXPECT_FALSE(BudgetedSelection(settings_of("greedy"), costs, 1).choose({}));
}

TEST(BudgetedSelection, FreeFeaturesHaveFiniteMerits) {
  const FeatureCosts costs = one_family({0, 1, 2});
  const BudgetedSelection selection(settings_of("greedy"), costs, 1);
  EXPECT_DOUBLE_EQ(selection.merit(0u, .1), greedy_merit(.1, 1e-9, 0));
  EXPECT_EQ(selection.merit(0u, 0), 0);
}

// The transform of a good feature is expensive, that of a poorer one is not.
class SetUps : public ::testing::Test {
 protected:
  const FeatureCosts costs_ = make_costs({{"expensive", {.01, .01}, 10}, {"cheap", {.1, .1}, 1}});
  const double evaluation_ = costs_.evaluation();

  // Half the merits of a feature of each family, before both are paid for, or after another feature of each.
  std::pair<double, double> half_merits(CostMode mode, double uses_per_setup, bool are_open) const {
    SelectionSettings settings = settings_of("greedy", mode);
    settings.uses_per_setup = uses_per_setup;
    BudgetedSelection selection(settings, costs_, 100);
    if (are_open) {
      selection.pay(costs_.needs(testing::stump(0, 1)));
      selection.pay(costs_.needs(testing::stump(1, 1)));
    }
    return {selection.merit(0u, .30) / 2, selection.merit(2u, .25) / 2};
  }
  static double half(double edge, double cost) { return -std::log(1 - edge * edge) / 2 / cost; }
};

TEST_F(SetUps, OriginalNeverOpensTheExpensiveFamily) {
  for (const bool are_open : {false, true}) {
    const auto [expensive, cheap] = half_merits(CostMode::kOriginal, 10, are_open);
    EXPECT_NEAR(expensive, .00471, 5e-6);
    EXPECT_NEAR(cheap, .0293, 5e-5);
  }
}

TEST_F(SetUps, MarginalSeesWhatIsOpen) {
  const auto [expensive, cheap] = half_merits(CostMode::kMarginal, 10, false);
  EXPECT_NEAR(expensive, half(.30, 10.01 + evaluation_), 1e-12);
  EXPECT_NEAR(cheap, half(.25, 1.1 + evaluation_), 1e-12);
  EXPECT_NEAR(expensive, .00471, 5e-6);
  EXPECT_NEAR(cheap, .0293, 5e-5);
  // The worked numbers, 4.716 and .3227, are those without the cost of an evaluation.
  const auto [expensive_open, cheap_open] = half_merits(CostMode::kMarginal, 10, true);
  EXPECT_NEAR(expensive_open * (.01 + evaluation_) / .01, 4.716, 5e-4);
  EXPECT_NEAR(cheap_open * (.1 + evaluation_) / .1, .3227, 5e-5);
  EXPECT_GT(expensive_open, cheap_open);
}

TEST_F(SetUps, AmortisedSharesTheSetUpAmongItsFeatures) {
  const auto [expensive, cheap] = half_merits(CostMode::kAmortised, 10, false);
  EXPECT_NEAR(expensive, half(.30, 1.01 + evaluation_), 1e-12);
  EXPECT_NEAR(cheap, half(.25, .2 + evaluation_), 1e-12);
  EXPECT_LT(expensive, cheap);
  const auto [expensive_of_many, cheap_of_many] = half_merits(CostMode::kAmortised, 100, false);
  EXPECT_GT(expensive_of_many, cheap_of_many) << "a hundred features make the expensive one worth it";
  EXPECT_EQ(half_merits(CostMode::kAmortised, 10, true), half_merits(CostMode::kMarginal, 10, true));
}

TEST_F(SetUps, HypothesesOfOneFeatureHaveTheMeritOfTheFeature) {
  for (const auto& [name, mode] : kCostModes)
    for (const SelectionRule& row : selection_rules()) {
      BudgetedSelection selection(settings_of(row.name, mode), costs_, 100);
      for (std::uint32_t paid = 0; paid < 2; ++paid) {
        for (std::uint32_t feature = 0; feature < 4; ++feature) {
          const Needs needs = costs_.needs(testing::stump(feature / 2, feature % 2));
          EXPECT_EQ(selection.merit(feature, .2), selection.merit(needs, .2)) << name << row.name;
        }
        selection.pay(costs_.needs(testing::stump(paid, 0)));
      }
    }
}

// A hypothesis with a larger edge than the chosen one is passed over only if it is still to be paid for, and
// can be.
TEST(BudgetedSelection, KnowsWhatItPassesOver) {
  const FeatureCosts costs = one_family({1, 5, 0, 20});
  BudgetedSelection selection(settings_of("greedy"), costs, 6);
  const auto passes_over = [&](std::vector<FeatureEdge> offered) {
    return selection.passes_over(offered, 0);
  };
  EXPECT_TRUE(passes_over({{0, .2}, {1, .3}}));
  EXPECT_FALSE(passes_over({{0, .3}, {1, .3 + 1e-9}})) << "the same, but for rounding";
  EXPECT_FALSE(passes_over({{0, .3}, {1, .2}}));
  EXPECT_FALSE(passes_over({{0, .2}, {2, .3}})) << "costs nothing";
  EXPECT_FALSE(passes_over({{0, .2}, {3, .3}})) << "costs more than the budget";
  selection.pay(costs.needs(testing::stump(0, 1)));
  EXPECT_FALSE(passes_over({{0, .2}, {1, .3}})) << "is paid for";
}

TEST(BudgetedSelection, SkipsWhatItCannotAffordIfAsked) {
  const FeatureCosts costs = one_family({5, 1});
  const std::vector<FeatureEdge> offered{{0, .5}, {1, .1}};
  SelectionSettings settings = settings_of("adaboost-bt");
  EXPECT_EQ(BudgetedSelection(settings, costs, 2).choose(offered), 0u);
  EXPECT_FALSE(BudgetedSelection(settings, costs, 2).can_afford(costs.needs(testing::stump(0, 0))));
  settings.skip_unaffordable = true;
  EXPECT_EQ(BudgetedSelection(settings, costs, 2).choose(offered), 1u);
  EXPECT_EQ(BudgetedSelection(settings, costs, 0.5).choose(offered), std::nullopt);
  EXPECT_EQ(BudgetedSelection(settings, costs, 5).choose(offered), 0u);
}

TEST(BudgetedSelection, LeavesAShareOfTheBudgetForFeatures) {
  // Set-ups of 4 and 3, features of 1: with half of 10 for set-ups only one of the two families is bought.
  const FeatureCosts costs = make_costs({{"a", {1, 1}, 4}, {"b", {1, 1}, 3}});
  const std::vector<FeatureEdge> offered{{0, .3}, {2, .2}, {3, .1}};
  SelectionSettings settings = settings_of("adaboost-bt");
  settings.setup_share = .5;
  BudgetedSelection selection(settings, costs, 10);
  const Needs of_a{{0}, {0}}, of_b{{2}, {1}};
  EXPECT_TRUE(selection.can_afford(of_a));
  selection.pay(of_b);
  EXPECT_EQ(selection.purchases().spent_on_setups(), 3);
  EXPECT_FALSE(selection.can_afford(of_a)) << "3 + 4 is more than half of 10";
  EXPECT_EQ(selection.choose(offered), 1u);
  EXPECT_EQ(selection.choose(std::vector<FeatureEdge>{{0, .3}}), std::nullopt);
  settings.setup_share = .7;
  BudgetedSelection both(settings, costs, 10);
  both.pay(of_b);
  EXPECT_EQ(both.choose(offered), 0u);
  settings.setup_share = 1.1;
  EXPECT_THROW(BudgetedSelection(settings, costs, 10), std::logic_error);
}

TEST(BudgetedSelection, HybridDoesNotWaitForWhatSetUpsMayNotTake) {
  // The set-up of family a, whose feature has the larger edge, is more than half of 10.
  const FeatureCosts costs = make_costs({{"a", {1}, 6}, {"b", {1}, 3}});
  const std::vector<FeatureEdge> offered{{0, .9}, {1, .3}};
  SelectionSettings settings = settings_of("hybrid");
  settings.setup_share = .5;
  BudgetedSelection selection(settings, costs, 10);
  selection.begin_round(std::vector<FeatureEdge>{{0, .9}});
  EXPECT_FALSE(selection.has_switched()) << "nothing was offered that could be bought";
  selection.begin_round(offered);
  EXPECT_FALSE(selection.has_switched());
  selection.pay({{1}, {1}});
  selection.begin_round(offered);
  EXPECT_TRUE(selection.has_switched()) << "all that may be bought has been";
}

TEST(BudgetedSelection, HybridSwitchesForGoodWhenWhatIsUnusedIsPoor) {
  const FeatureCosts costs = one_family({1, 1, 1});
  BudgetedSelection selection(settings_of("hybrid"), costs, 10);
  const auto begin = [&](double unused_edge) {
    selection.begin_round(std::vector<FeatureEdge>{{0, .4}, {1, unused_edge}});
  };
  begin(.4);
  selection.pay(costs.needs(testing::stump(0, 0)));
  EXPECT_DOUBLE_EQ(selection.merit(1u, .4), greedy_merit(.4, 1, 0));
  begin(.22);  // -ln(1 - .0484) is .2845 of -ln(1 - .16)
  EXPECT_FALSE(selection.has_switched());
  begin(.2);  // .2341 of it
  EXPECT_TRUE(selection.has_switched());
  EXPECT_DOUBLE_EQ(selection.merit(1u, .4), smoothed_merit(.4, 1, 1));
  begin(.4);
  EXPECT_TRUE(selection.has_switched());
}

TEST(BudgetedSelection, HybridSwitchesWhereAllIsPaidFor) {
  const FeatureCosts costs = one_family({1});
  BudgetedSelection selection(settings_of("hybrid"), costs, 10);
  selection.begin_round(std::vector<FeatureEdge>{{0, .4}});
  selection.pay(costs.needs(testing::stump(0, 0)));
  selection.begin_round(std::vector<FeatureEdge>{{0, .4}});
  EXPECT_TRUE(selection.has_switched());
}

TEST(BudgetedSelection, OnlyHybridSwitches) {
  const FeatureCosts costs = one_family({1});
  for (const SelectionRule& row : selection_rules()) {
    BudgetedSelection selection(settings_of(row.name), costs, 10);
    selection.begin_round(std::vector<FeatureEdge>{{0, .4}});
    selection.begin_round(std::vector<FeatureEdge>{{0, .01}});
    EXPECT_EQ(selection.has_switched(), row.name == "hybrid");
  }
}

TEST(BudgetedSelection, RefusesSettingsOutOfRange) {
  const FeatureCosts costs = one_family({1});
  const auto make = [&](SelectionSettings settings, double budget = 1) {
    return BudgetedSelection(settings, costs, budget);
  };
  EXPECT_THROW(make({}), std::logic_error) << "no rule";
  EXPECT_THROW(make({.rule = rule("smoothed"), .tau = -1}), std::logic_error);
  EXPECT_THROW(make({.rule = rule("hybrid"), .kappa = std::nan("")}), std::logic_error);
  EXPECT_THROW(make({.rule = rule("greedy"), .uses_per_setup = 0}), std::logic_error);
  EXPECT_THROW(make(settings_of("greedy"), -1), std::logic_error);
  EXPECT_NO_THROW(make(settings_of("greedy"), 0));
}

// For any offers, no more is spent than the budget, and all that is spent is the price of what is used.
RC_GTEST_PROP(BudgetedSelection, KeepsToTheBudget, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.budget");
  const FeatureCosts costs = make_costs(testing::random_families(stream));
  SelectionSettings settings{.rule = &selection_rules()[stream.below(5)],
                             .cost_mode = kCostModes[stream.below(3)].value};
  settings.skip_unaffordable = stream.below(2) == 0;
  BudgetedSelection selection(settings, costs, stream.uniform(0, 10));
  Needs used;
  for (int round = 0; round < 40; ++round) {
    std::vector<FeatureEdge> offered;
    for (std::uint32_t j = 0; j < costs.num_features(); ++j) offered.push_back({j, stream.uniform()});
    selection.begin_round(offered);
    const auto chosen = selection.choose(offered);
    if (!chosen) break;
    const std::uint32_t feature = offered[*chosen].feature;
    const Needs needs{{feature}, {costs.family_of(feature)}};
    RC_ASSERT(!settings.skip_unaffordable || selection.can_afford(needs));
    if (!selection.can_afford(needs)) break;
    selection.pay(needs);
    for (const auto& [from, to] :
         {std::pair(&needs.features, &used.features), {&needs.families, &used.families}})
      if (std::find(to->begin(), to->end(), from->front()) == to->end()) to->push_back(from->front());
    RC_ASSERT(std::abs(costs.price(used).total() - selection.purchases().spent()) < 1e-12);
    RC_ASSERT(is_within(selection.purchases().spent(), selection.purchases().budget()));
  }
}

}  // namespace
}  // namespace mash
