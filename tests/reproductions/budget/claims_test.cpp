// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/claims.hpp"

#include <gmock/gmock.h>

#include "framework/reproductions/budget/report.hpp"

namespace mash {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Verdict judged(std::vector<double> values, ClaimedRange range = {}, std::size_t num_checks = 1) {
  return judge(values, range, num_checks);
}

// For three values Student's t is 4.3027: the interval of mean -2 and sd 1 is -2 -+ 2.484, of sd .1 -2 -+
// .248.
TEST(Judge, ByTheIntervalOfTheMean) {
  EXPECT_EQ(judged({-1.9, -2, -2.1}), Verdict::kHeld);
  EXPECT_EQ(judged({-1, -2, -3}), Verdict::kUndecided);
  EXPECT_EQ(judged({1.9, 2, 2.1}), Verdict::kRefuted);
  EXPECT_EQ(judged({1, 2, 3}), Verdict::kUndecided);
  EXPECT_EQ(judged({-5}), Verdict::kUndecided);
  EXPECT_EQ(judged({}), Verdict::kUndecided);
}

// Among 100 checks each refutes at 99.95 %, where t is 44.70: 2 -+ 2.58. What is held needs no such care.
TEST(Judge, RefutesWithCareWhereThereAreManyChecks) {
  EXPECT_EQ(judged({1.9, 2, 2.1}, {}, 100), Verdict::kUndecided);
  EXPECT_EQ(judged({2.9, 3, 3.1}, {}, 100), Verdict::kRefuted);
  EXPECT_EQ(judged({-1.9, -2, -2.1}, {}, 100), Verdict::kHeld);
}

TEST(Judge, RangesOfTwoSides) {
  const ClaimedRange near{-1, 1};
  EXPECT_EQ(judged({-.1, 0, .1}, near), Verdict::kHeld);
  EXPECT_EQ(judged({0, 0, 0}, near), Verdict::kHeld);
  EXPECT_EQ(judged({.8, .9, 1}, near), Verdict::kUndecided);
  EXPECT_EQ(judged({2.9, 3, 3.1}, near), Verdict::kRefuted);
  EXPECT_EQ(judged({-2.9, -3, -3.1}, near), Verdict::kRefuted);
  EXPECT_EQ(judged({0, 0, 0}), Verdict::kUndecided);  // the end is not meant
}

TEST(VerdictOfAll, OneRefutesAllHold) {
  using enum Verdict;
  const auto all = [](std::vector<Verdict> verdicts) { return verdict_of_all(verdicts); };
  EXPECT_EQ(all({kHeld, kHeld}), kHeld);
  EXPECT_EQ(all({kHeld, kUndecided}), kUndecided);
  EXPECT_EQ(all({kHeld, kUndecided, kRefuted}), kRefuted);
}

// Even repetitions do best with size 1, odd ones with size 3; each is compared with the size of the others.
TEST(TreeGrowthLosses, WithTheBestSizeOfTheOtherHalf) {
  std::vector<BudgetRepetition> repetitions(4);
  for (std::size_t i = 0; i < 4; ++i) {
    repetitions[i].tree_errors.fill(.5);
    repetitions[i].tree_errors[i % 2 == 0 ? 1 : 3] = .1;
    repetitions[i].tree_errors.back() = i < 2 ? .4 : .6;
  }
  const std::vector<double> losses = tree_growth_losses(repetitions);
  ASSERT_EQ(losses.size(), 4u);
  EXPECT_NEAR(losses[0], .4 - .5, 1e-15);
  EXPECT_NEAR(losses[1], .4 - .5, 1e-15);
  EXPECT_NEAR(losses[2], .6 - .5, 1e-15);
  EXPECT_NEAR(losses[3], .6 - .5, 1e-15);
  EXPECT_TRUE(tree_growth_losses(std::span(repetitions).first(1)).empty());
}

// Even repetitions do best within the second budget, odd ones within the third; that of 40 is left out of the
// choice.
TEST(GreedyGrowthLosses, WithTheBestBudgetOfTheOtherHalfUpTo20) {
  std::vector<BudgetRepetition> repetitions(4);
  for (std::size_t i = 0; i < 4; ++i) {
    auto& errors = repetitions[i].errors[std::size_t(BudgetMethod::kGreedy)];
    errors.fill(.5);
    errors[i % 2 == 0 ? 1 : 2] = .3;
    errors[kNumBudgets - 2] = .01;
    errors.back() = .2;
  }
  for (const double loss : greedy_growth_losses(repetitions)) EXPECT_NEAR(loss, .2 - .5, 1e-15);
  repetitions[0].errors[std::size_t(BudgetMethod::kGreedy)].back() = .6;
  EXPECT_NEAR(greedy_growth_losses(repetitions)[0], .6 - .5, 1e-15);
  EXPECT_TRUE(greedy_growth_losses(std::span(repetitions).first(1)).empty());
}

const BudgetSet& set_named(std::string_view name) {
  return *std::ranges::find(budget_sets(), name, &BudgetSet::name);
}

// The same error within all budgets, by method; all errors grow with the number of the repetition.
BudgetResult result_of(std::string_view set, std::array<double, kNumBudgetMethods> errors, double spent) {
  BudgetResult result{&set_named(set), 10, std::vector<BudgetRepetition>(3)};
  for (std::size_t i = 0; i < 3; ++i) {
    BudgetRepetition& repetition = result.repetitions[i];
    for (std::size_t method = 0; method < kNumBudgetMethods; ++method)
      repetition.errors[method].fill(errors[method] + .01 * double(i));
    repetition.tree_errors.fill(.2);
    repetition.tree_errors.back() = .3;
    repetition.adaboost_error = .25;
    repetition.greedy_spent = spent + .1 * double(i);
  }
  return result;
}

const BudgetClaim& claim(const std::vector<BudgetClaim>& claims, std::string_view number) {
  return *std::ranges::find(claims, number, &BudgetClaim::number);
}

// In the order of the methods: basic, greedy, smoothed, SpeedBoost, AdaBoostRS, trees.
TEST(BudgetClaims, FromTheDifferencesWithinEachRepetition) {
  const std::vector<BudgetResult> results{result_of("sonar", {.2, .3, .24, .302, .4, .3}, .5),
                                          result_of("heart", {.2, .17, .15, .3, .1, .3}, 30)};
  const std::vector<BudgetClaim> claims = budget_claims(results);
  const BudgetClaim& first = claim(claims, "1");
  ASSERT_EQ(first.checks.size(), 2u);
  EXPECT_EQ(first.checks[0].set, "sonar");
  EXPECT_NEAR(first.checks[0].mean.mean, -20, 1e-9);
  EXPECT_EQ(first.checks[0].verdict, Verdict::kHeld);
  EXPECT_NEAR(first.checks[1].mean.mean, 10, 1e-9);
  EXPECT_EQ(first.checks[1].verdict, Verdict::kRefuted);
  EXPECT_EQ(first.verdict, Verdict::kRefuted);

  // .5, .6 and .7 were spent: .6 - 2, with an interval of .25. On heart greedy has the same error within all
  // budgets.
  const BudgetClaim& trap = claim(claims, "3");
  ASSERT_EQ(trap.checks.size(), 2u);
  EXPECT_NEAR(trap.checks[0].mean.mean, -1.4, 1e-9);
  EXPECT_NEAR(*trap.checks[0].mean.half_width, .2484, 1e-4);
  EXPECT_EQ(trap.checks[0].verdict, Verdict::kHeld);
  EXPECT_EQ(trap.checks[1].mean.mean, 0);  // and not what rounding leaves
  EXPECT_EQ(trap.checks[1].verdict, Verdict::kUndecided);

  const BudgetClaim& overlap = claim(claims, "5");
  EXPECT_NEAR(overlap.checks[0].mean.mean, .2, 1e-9);
  EXPECT_EQ(overlap.checks[0].verdict, Verdict::kHeld);
  EXPECT_NEAR(overlap.checks[1].mean.mean, 13, 1e-9);
  EXPECT_EQ(overlap.checks[1].verdict, Verdict::kRefuted);

  const BudgetClaim& trees = claim(claims, "8");
  ASSERT_EQ(trees.checks.size(), 4u);
  EXPECT_NEAR(trees.checks[0].mean.mean, -10, 1e-9);
  EXPECT_EQ(trees.checks[0].verdict, Verdict::kHeld);
  EXPECT_NEAR(trees.checks[2].mean.mean, 0, 1e-9);
  EXPECT_EQ(trees.verdict, Verdict::kUndecided);

  // Claims 2 and 7 are of other data sets.
  std::vector<std::string> numbers;
  for (const BudgetClaim& one : claims) numbers.push_back(one.number);
  EXPECT_THAT(numbers, ElementsAre("1", "3", "4", "5", "6", "8"));
}

// In repetition i, AdaBoost's error is that of budget 10 + 2 i of basic, and of budget 4 of smoothed.
TEST(BudgetClaims, BudgetsToAnError) {
  BudgetResult result = result_of("ecoli", {.5, .5, .5, .5, .5, .5}, 30);
  for (std::size_t i = 0; i < 3; ++i) {
    BudgetRepetition& repetition = result.repetitions[i];
    for (std::size_t b = 4 + i; b < kNumBudgets; ++b)
      repetition.errors[std::size_t(BudgetMethod::kBasic)][b] = .1;
    repetition.errors[std::size_t(BudgetMethod::kSmoothed)][1] = .25;
  }
  const auto reached = budget_claims(std::span(&result, 1));
  EXPECT_NEAR(claim(reached, "6").checks[0].mean.mean, 4 - 12, 1e-9);
  EXPECT_EQ(claim(reached, "6").verdict, Verdict::kHeld);
  for (BudgetRepetition& repetition : result.repetitions)
    repetition.errors[std::size_t(BudgetMethod::kSmoothed)][1] = .26;
  const auto never = budget_claims(std::span(&result, 1));
  EXPECT_NEAR(claim(never, "6").checks[0].mean.mean, 42 - 12, 1e-9);
}

TEST(BudgetClaims, TheConstructedSetHasItsOwn) {
  const BudgetResult result = result_of("constructed", {.4, .3, .37, .3, .4, .3}, 30);
  const auto claims = budget_claims(std::span(&result, 1));
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].number, "7");
  EXPECT_EQ(claims[0].checks[0].verdict, Verdict::kHeld);
  EXPECT_EQ(claims[0].checks[1].verdict, Verdict::kRefuted);  // only 3 points better
}

TEST(BudgetReport, HasVerdictsErrorsAndAPicture) {
  const std::vector<BudgetResult> results{result_of("sonar", {.2, .3, .24, .302, .4, .3}, .5)};
  const ReproductionReport report = budget_report(results, "mash reproduce budget-figure1");
  EXPECT_THAT(report.remarks[0],
              HasSubstr("AdaBoostRS on all data sets: held (1 held, 0 refuted, 0 undecided)"));
  EXPECT_EQ(std::get<std::string>(report.table.rows[0][5]), "below 0");
  EXPECT_THAT(report.markdown, HasSubstr("| sonar | sonar | 11196 | 10 | 100 | at most 108 | 99 | 3 |"));
  EXPECT_THAT(report.markdown, HasSubstr("| sonar | AdaBoostBT | 21.0"));
  EXPECT_THAT(report.svg, HasSubstr("sonar: test error %"));
  const Table errors = budget_errors(results);
  ASSERT_EQ(errors.rows.size(), kNumBudgetMethods * kNumBudgets);
  EXPECT_NEAR(std::get<Estimate>(errors.rows[0][4]).mean, .21, 1e-12);
}

}  // namespace
}  // namespace mash
