// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/report.hpp"

#include "framework/reproductions/bandits/smoothed_errors.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kMnist = 0, kStump = 0, kFull = 0, kRandom = 1, kExp3P = 4;

// Twelve rounds, each `seconds` long, with errors that fall from .5 by `step` a round.
std::vector<RoundError> falling(double step, double seconds) {
  std::vector<RoundError> run;
  for (int round = 1; round <= 12; ++round) run.push_back({.5 - step * round, seconds * round});
  return run;
}

BanditResult result_of(std::size_t method, std::vector<std::vector<RoundError>> runs) {
  return {kStump, method, kMnist, 10, 12, std::move(runs)};
}

std::vector<BanditResult> sample() {
  return {result_of(kFull, {falling(.02, 2)}), result_of(kRandom, {falling(.015, .5), falling(.017, .5)}),
          result_of(kExp3P, {falling(.021, .5), falling(.019, .5)})};
}

TEST(PublishedBandits, HaveTheFiguresOfThePaper) {
  EXPECT_EQ(bandit_cell(0, 0, 0).error, 7.56);
  EXPECT_EQ(bandit_cell(0, 2, 3).error, 4.30);
  EXPECT_EQ(bandit_cell(1, 4, 4).error, 2.30);
  EXPECT_EQ(bandit_cell(2, 3, 0).error, 3.06);
  EXPECT_EQ(bandit_cell(2, 4, 4).error, 3.02);
  double sum = 0;
  for (std::size_t learner = 0; learner < bandit_learners().size(); ++learner)
    for (std::size_t method = 0; method < bandit_methods().size(); ++method)
      for (std::size_t set = 0; set < bandit_sets().size(); ++set) {
        const BanditCell& cell = bandit_cell(learner, method, set);
        sum += cell.error;
        EXPECT_TRUE(learner > 0 || cell.num_rounds > 0) << "what the stumps need is known";
        EXPECT_GT(cell.lambda, 0);
      }
  EXPECT_NEAR(sum, 334.20, 1e-9);
}

TEST(BanditReport, ComparesErrorsAndTimes) {
  const auto results = sample();
  const ReproductionReport report = bandit_report(results);
  ASSERT_EQ(report.table.rows.size(), 3u);
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(report.table.rows[row][column]);
  };
  // FULL: .5 - .02 * 10 after ten rounds, which is also the mean over rounds 8 to 12.
  EXPECT_EQ(std::get<std::string>(report.table.rows[0][2]), "FULL");
  EXPECT_DOUBLE_EQ(number(0, 5), .0756);
  EXPECT_NEAR(number(0, 6), .3, 1e-12);
  EXPECT_NEAR(number(0, 7), .3 - .0756, 1e-12);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(report.table.rows[0][8])) << "one run has no deviation";
  EXPECT_DOUBLE_EQ(number(0, 10), 20);
  EXPECT_DOUBLE_EQ(number(0, 11), 20);
  EXPECT_DOUBLE_EQ(number(0, 12), 1);
  // RANDOM does not come down to it.
  EXPECT_NEAR(number(1, 6), .34, 1e-12);
  EXPECT_NEAR(number(1, 8), .0141421, 1e-6);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(report.table.rows[1][11]));
  // EXP3.P has the same errors as FULL on average, in a quarter of the time.
  EXPECT_NEAR(number(2, 11), 5, 1e-12);
  EXPECT_NEAR(number(2, 12), 4, 1e-12);
}

TEST(BanditReport, TellsTheLowestErrorOfEachRun) {
  // .5 - .05 t up to the sixth round, then .5 again; the second run is 0.1 better.
  std::vector<std::vector<RoundError>> runs(2);
  for (int round = 1; round <= 12; ++round)
    for (std::size_t i = 0; i < runs.size(); ++i)
      runs[i].push_back({(round <= 6 ? .5 - .05 * round : .5) - .1 * double(i), double(round)});
  const std::vector<BanditResult> results{result_of(kRandom, runs)};
  const auto row = bandit_report(results).table.rows[0];
  EXPECT_NEAR(std::get<double>(row[6]), .45, 1e-12);
  EXPECT_NEAR(std::get<double>(row[9]), .20, 1e-12) << "at T = 5, whose window is rounds 4 to 6";
}

TEST(BanditReport, SaysWhatTheFiguresSay) {
  const auto results = sample();
  EXPECT_THAT(
      bandit_report(results).remarks,
      ElementsAre("stump: 0 of 3 errors at most 0.5 points above the paper's; of the lowest, 0",
                  "stump: 3 errors above the paper's, 0 below (sign test: p = 0.25); mean difference +24.18 "
                  "points, of "
                  "the lowest +24.18",
                  "RANDOM came down to FULL's error in 0 of 1 cases",
                  "EXP3.P came down to FULL's error in 1 of 1 cases, 4.0 times as fast (geometric mean)"));
  const std::vector<BanditResult> alone{result_of(kExp3P, {falling(.043, 1)})};
  EXPECT_THAT(
      bandit_report(alone).remarks,
      ElementsAre("stump: 1 of 1 errors at most 0.5 points above the paper's; of the lowest, 1",
                  "stump: 1 errors above the paper's, 0 below (sign test: p = 1); mean difference +0.04 "
                  "points, of the lowest +0.04"))
      << "without FULL there is nothing to be as fast as";
}

TEST(BanditReport, SetsErrorsAboveAgainstErrorsBelow) {
  // MNIST's stumps: above the paper's 7.56, 6.94 and 7.02 %, below 7.07 and 6.96 %, by 1 point each.
  const std::vector<double> errors{.0856, .0794, .0607, .0802, .0596};
  std::vector<BanditResult> results;
  for (std::size_t method = 0; method < errors.size(); ++method)
    results.push_back(result_of(method, {std::vector<RoundError>(12, {errors[method], 1})}));
  // Two-sided: 2 (1 + 5 + 10) / 32, at most 1.
  EXPECT_EQ(bandit_report(results).remarks[1],
            "stump: 3 errors above the paper's, 2 below (sign test: p = 1); mean difference +0.20 points, of "
            "the lowest "
            "+0.20");
}

TEST(BanditReport, MarksWhatWasAdapted) {
  std::size_t num_adapted = 0;
  for (std::size_t learner = 0; learner < bandit_learners().size(); ++learner)
    for (std::size_t method = 0; method < bandit_methods().size(); ++method)
      for (std::size_t set = 0; set < bandit_sets().size(); ++set)
        num_adapted += !bandit_adaptation(learner, method, set).empty();
  EXPECT_EQ(num_adapted, 15u + 10 + 1) << "USPS; products on isolet and letter; FULL's products on MNIST";
  std::vector<BanditResult> results{result_of(kFull, {falling(.02, 2)}),
                                    {1, kFull, kMnist, 10, 12, {falling(.02, 2)}},
                                    {kStump, kFull, 1, 10, 12, {falling(.02, 2)}}};
  const Table table = bandit_report(results).table;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0].back()));
  EXPECT_EQ(std::get<std::string>(table.rows[1].back()), "T");
  EXPECT_EQ(std::get<std::string>(table.rows[2].back()), "data, cuts");
}

TEST(BanditReport, HasAPanelForEachSetAndLearner) {
  auto results = sample();
  results.push_back({1, kFull, 1, 10, 12, {falling(.02, 1)}});
  const std::string svg = bandit_report(results).svg;
  EXPECT_THAT(svg, HasSubstr("MNIST, stump: smoothed test error %"));
  EXPECT_THAT(svg, HasSubstr("USPS, product: smoothed test error %"));
  EXPECT_EQ(svg.find("MNIST, product"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(BanditValidation, TellsTheRoundOfTheSmallestError) {
  // Down for eight rounds, then up: means over windows are smallest about round 8.
  std::vector<RoundError> run;
  for (int round = 1; round <= 24; ++round) run.push_back({.1 + .01 * std::abs(round - 8), 1.0 * round});
  const std::vector<BanditChoice> choices{{{kStump, kExp3P, kMnist, 20, 24, {run}}, .3, .15},
                                          {{kStump, kFull, kMnist, 20, 24, {run}}, 0, 0}};
  const Table table = bandit_validation_report(choices).table;
  const SmoothedErrors errors(choices[0].result.runs, 24);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(std::get<double>(table.rows[0][4]), .15);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[1][4]));
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][5]), errors.best());
  EXPECT_NEAR(double(errors.best()), 8, 1);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][6]), 20);
  EXPECT_EQ(std::get<double>(table.rows[0][7]), errors.at(errors.best()));
}

}  // namespace
}  // namespace mash
