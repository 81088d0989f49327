// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget_time_report.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

// Two seeds; the unlimited model is 1 % wrong in 900 microseconds.
BudgetTimes two_seeds() {
  BudgetTimes times{"pictures", 2, {.008, .012}, {880, 920}, {}};
  const auto add = [&](TimedMethod method, double budget, double error, double microseconds) {
    for (const double sign : {-1.0, 1.0})
      times.models.push_back({method, budget, error * (1 + sign / 10), microseconds + sign, budget / 2});
  };
  add(TimedMethod::kTrained, 50, .02, 45);
  add(TimedMethod::kTrained, 100, .0125, 95);
  add(TimedMethod::kTrained, 200, .011, 180);
  add(TimedMethod::kCutShort, 100, .1, 90);
  add(TimedMethod::kCutShort, 500, .0129, 510);
  add(TimedMethod::kCutShort, 1000, .01, 800);
  add(TimedMethod::kStoppedEarly, 100, .05, 300);
  return times;
}

TEST(BudgetTimeReport, SaysWhatTheTimeBuysOrWhereTheLimitLies) {
  const ReproductionReport report = budget_time_report(two_seeds());
  EXPECT_EQ(report.remarks[0],
            "trained for the budget: within 100 us a picture 1.25 % in 95 us (budget 100), 1.25 times the "
            "unlimited "
            "model's error; at most 1.3 times was asked: held");
  EXPECT_EQ(report.remarks[1],
            "unlimited model, stopped early: within 100 us a picture there is no model; at most 1.3 times "
            "was asked: "
            "not held; no model that was tried is that right");
  EXPECT_EQ(
      report.remarks[2],
      "unlimited model, cut short: within 100 us a picture 10.00 % in 90 us (budget 100), 10.00 times the "
      "unlimited model's error; at most 1.3 times was asked: not held; the limit lies at 1.29 % in 510 us "
      "(budget 500), 1.29 times the unlimited model's error");
}

TEST(BudgetTimeReport, HasARowForEachMethodAndBudget) {
  const Table table = budget_time_report(two_seeds()).table;
  ASSERT_EQ(table.rows.size(), 8u);
  EXPECT_EQ(std::get<Estimate>(table.rows[0][4]).mean, .01);
  EXPECT_EQ(std::get<std::string>(table.rows[1][0]), "trained for the budget");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[1][1]), 50);
  EXPECT_EQ(std::get<Estimate>(table.rows[1][2]).mean, 45);
  EXPECT_TRUE(std::get<Estimate>(table.rows[1][2]).half_width);
}

TEST(BudgetTimeReport, TakesTheFastestPass) {
  const std::vector<TimedModel> passes{{.microseconds = 3}, {.microseconds = 1}, {.microseconds = 2}};
  EXPECT_EQ(fastest(passes).microseconds, 1);
}

TEST(BudgetTimeReport, DrawsAllMethods) {
  const std::string svg = budget_time_report(two_seeds()).svg;
  for (const char* name :
       {"trained for the budget", "unlimited model, cut short", "unlimited model, stopped early"})
    EXPECT_THAT(svg, HasSubstr(name));
}

TEST(BudgetTimeReport, OfNothingIsEmpty) { EXPECT_TRUE(budget_time_report({}).table.rows.empty()); }

}  // namespace
}  // namespace mash
