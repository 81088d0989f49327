// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/time_report.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

// Five seeds; the unlimited model is 1 % wrong in 900 microseconds. Each value has a spread of so much about
// its mean: -2, -1, 0, 1, 2 times, whose interval is 1.963 times (t = 2.776).
BudgetTimes five_seeds(double spread_of_error = .0001, double spread_of_time = 1) {
  BudgetTimes times{
      "pictures", 2, false, {.01, .01, .01, .01, .01}, {880, 890, 900, 910, 920}, {700, 700, 700, 700, 700},
      {}};
  const auto add = [&](TimedMethod method, double budget, double error, double microseconds) {
    for (const double step : {-2.0, -1.0, 0.0, 1.0, 2.0})
      times.models.push_back(
          {method, budget, error + spread_of_error * step, microseconds + spread_of_time * step, budget / 2});
  };
  add(TimedMethod::kTrained, 50, .02, 45);
  add(TimedMethod::kTrained, 100, .0125, 95);
  add(TimedMethod::kTrained, 200, .011, 180);
  add(TimedMethod::kCutShort, 100, .1, 90);
  add(TimedMethod::kCutShort, 500, .0125, 510);
  add(TimedMethod::kCutShort, 1000, .01, 800);
  add(TimedMethod::kStoppedEarly, 100, .05, 300);
  return times;
}

TEST(BudgetTimeReport, SaysWhatTheTimeBuysOrWhereTheLimitLies) {
  const ReproductionReport report = budget_time_report(five_seeds());
  EXPECT_EQ(
      report.remarks[0],
      "trained for the budget: within 100 us a picture 1.25 % in 95 ± 1.96 us (budget 100), 1.25 ± 0.02 "
      "times the unlimited model's error; at most 1.3 times was asked: held");
  EXPECT_EQ(report.remarks[1],
            "unlimited model, stopped early: within 100 us a picture there is no model; at most 1.3 times "
            "was asked: not held; no model that was tried surely is");
  EXPECT_EQ(
      report.remarks[2],
      "unlimited model, cut short: within 100 us a picture 10.00 % in 90 ± 1.96 us (budget 100), "
      "10.00 ± 0.02 times the unlimited model's error; at most 1.3 times was asked: not held; the quickest "
      "model that surely is: 1.25 % in 510 ± 1.96 us (budget 500), 1.25 ± 0.02 times the unlimited model's "
      "error");
}

TEST(BudgetTimeReport, JudgesByTheEndsOfTheIntervals) {
  // 1.25 ± 0.098: above 1.3 perhaps.
  EXPECT_THAT(
      budget_time_report(five_seeds(.0005)).remarks[0],
      HasSubstr("1.25 ± 0.10 times the unlimited model's error; at most 1.3 times was asked: undecided, "
                "which more runs would change; the quickest model that surely is: 1.10 % in 180 ± 1.96 us "
                "(budget 200)"));
  // 95 ± 9.8: more than 100 perhaps, so that the model for 50 is the best one within.
  EXPECT_THAT(
      budget_time_report(five_seeds(.0001, 5)).remarks[0],
      HasSubstr("2.00 % in 45 ± 9.82 us (budget 50), 2.00 ± 0.02 times the unlimited model's error; at "
                "most 1.3 times was asked: not held; the quickest model that surely is: 1.25 % in 95 ± 9.82 "
                "us (budget 100)"));
}

TEST(BudgetTimeReport, OneSeedDecidesNothing) {
  const BudgetTimes times{
      "pictures", 1, false, {.01}, {900}, {700}, {{TimedMethod::kTrained, 100, .011, 90, 80}}};
  EXPECT_THAT(
      budget_time_report(times).remarks[0],
      HasSubstr(
          "1.10 % in 90 us (budget 100), 1.10 times the unlimited model's error; at most 1.3 "
          "times was asked: undecided, which more runs would change; no model that was tried surely is"));
}

TEST(BudgetTimeReport, HasARowForEachMethodAndBudget) {
  const Table table = budget_time_report(five_seeds()).table;
  ASSERT_EQ(table.rows.size(), 8u);
  EXPECT_NEAR(std::get<Estimate>(table.rows[0][4]).mean, .01, 1e-15);
  EXPECT_EQ(std::get<Estimate>(table.rows[0][3]).mean, 700);
  EXPECT_EQ(std::get<std::string>(table.rows[1][0]), "trained for the budget");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[1][1]), 50);
  EXPECT_NEAR(std::get<Estimate>(table.rows[1][2]).mean, 45, 1e-12);
  EXPECT_TRUE(std::get<Estimate>(table.rows[1][2]).half_width);
}

TEST(BudgetTimeReport, TakesTheFastestPass) {
  const std::vector<TimedModel> passes{{.microseconds = 3}, {.microseconds = 1}, {.microseconds = 2}};
  EXPECT_EQ(fastest(passes).microseconds, 1);
}

TEST(BudgetTimeReport, DrawsAllMethods) {
  const std::string svg = budget_time_report(five_seeds()).svg;
  for (const char* name :
       {"trained for the budget", "unlimited model, cut short", "unlimited model, stopped early"})
    EXPECT_THAT(svg, HasSubstr(name));
}

TEST(BudgetTimeReport, OfNothingIsEmpty) { EXPECT_TRUE(budget_time_report({}).table.rows.empty()); }

}  // namespace
}  // namespace mash
