// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/report.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kMnist = 0, kUsps = 1, kInria = 3;

// Two points, the last of which has this accuracy in per cent.
std::vector<CurvePoint> curve(double accuracy) {
  CurvePoint first, last;
  first.round = 10;
  first.test_error = .5;
  last.round = 30;
  last.test_error = 1 - accuracy / 100;
  last.seconds = 4;
  return {first, last};
}

ReservoirResult cell(std::size_t set, std::size_t method, std::vector<double> accuracies, double shrink = 1) {
  ReservoirResult result{set, method, 0, shrink, 250, {}};
  for (const double accuracy : accuracies) result.curves.push_back(curve(accuracy));
  return result;
}

// Max, Rand, WSam and GEEM with three seeds around these accuracies.
std::vector<ReservoirResult> four(std::size_t set, std::array<double, 4> accuracies, double shrink = 1) {
  std::vector<ReservoirResult> results;
  for (std::size_t method = 0; method < 4; ++method) {
    const double at = accuracies[method], spread = .1 * double(method + 1);
    results.push_back(cell(set, method, {at - spread, at, at + spread}, shrink));
  }
  return results;
}

ReproductionReport report(const std::vector<ReservoirResult>& results) {
  return reservoir_report(**find_reservoir_table("reservoir-table3"), results, "mash reproduce this");
}

TEST(ReservoirReport, HasARowForEachCell) {
  const ReproductionReport made = report({cell(kMnist, 3, {80, 82}), cell(kUsps, 3, {90, 90}, .1)});
  ASSERT_EQ(made.table.rows.size(), 2u);
  const auto& row = made.table.rows[0];
  EXPECT_EQ(std::get<std::string>(row[0]), "mnist");
  EXPECT_EQ(std::get<std::string>(row[1]), "line search");
  EXPECT_EQ(std::get<std::string>(row[2]), "GEEM");
  EXPECT_EQ(std::get<std::int64_t>(row[3]), 100);
  EXPECT_EQ(std::get<std::int64_t>(row[4]), 250) << "rounds of each class, not of all";
  EXPECT_EQ(std::get<std::int64_t>(row[5]), 2);
  EXPECT_NEAR(std::get<double>(row[6]), .8466, 1e-12);
  EXPECT_NEAR(std::get<Estimate>(row[8]).mean, .81, 1e-12);
  EXPECT_NEAR(*std::get<Estimate>(row[8]).half_width, .12706, 1e-4) << "t of one degree: 12.706";
  EXPECT_NEAR(std::get<double>(row[9]), -.0366, 1e-12);
  EXPECT_NEAR(std::get<double>(row[10]), 4, 1e-12);
  const auto& usps = made.table.rows[1];
  EXPECT_THAT(std::get<std::string>(usps[1]), HasSubstr("not published"));
  EXPECT_FALSE(std::get<Estimate>(usps[8]).half_width) << "two seeds may be equal by chance";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(usps[6])) << "the paper does not have it";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(usps[9]));
}

TEST(ReservoirReport, JudgesTheOrderAndTheAccuracies) {
  const ReproductionReport made = report(four(kMnist, {66.8, 80, 84, 84.5}));
  EXPECT_THAT(made.remarks,
              Contains(HasSubstr("MNIST, r = 100, line search: GEEM ≈ WSam > Rand > Max: held")));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("WSam − Rand +4.00 ± 0.25 (held)")));
  EXPECT_THAT(made.remarks,
              Contains(HasSubstr("line search: orders of the paper: 1 held, 0 refuted, 0 undecided; "
                                 "accuracies of the paper: 4 held")));
  const ReproductionReport other = report(four(kMnist, {68, 74, 72, 68}));
  EXPECT_THAT(other.remarks, Contains(HasSubstr("GEEM ≈ WSam > Rand > Max: refuted: GEEM − WSam -4.00")));
  EXPECT_THAT(other.remarks, Contains(HasSubstr("Max +1.26 ± 0.25, within 4: held; Rand -5.97")));
}

TEST(ReservoirReport, ComparesOrdersAloneWhereTheDataAreOthers) {
  const ReproductionReport made = report(four(kInria, {95, 90, 92, 97}));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("GEEM > Max > WSam > Rand: held")));
  EXPECT_THAT(made.remarks, Not(Contains(HasSubstr("points from the paper's accuracy"))));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(made.table.rows[0][9]));
  EXPECT_TRUE(report(four(kUsps, {80, 81, 82, 83})).remarks.empty()) << "the paper claims nothing of it";
}

TEST(ReservoirReport, ComparesNoAccuraciesAfterOtherRounds) {
  std::vector<ReservoirResult> results = four(kMnist, {66.8, 80, 84, 84.5});
  for (ReservoirResult& result : results) result.num_rounds = 20;
  const ReproductionReport made = report(results);
  EXPECT_THAT(
      made.remarks,
      Contains(HasSubstr("line search, T = 20 in place of 250: GEEM ≈ WSam > Rand > Max: undecided")));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("fewer rounds than those of the publication")));
  EXPECT_THAT(made.remarks, Not(Contains(HasSubstr("points from the paper's accuracy"))));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(made.table.rows[0][9]));
}

TEST(ReservoirReport, KeepsStepsOfOtherLengthApart) {
  std::vector<ReservoirResult> results = four(kMnist, {66.8, 80, 84, 84.5});
  for (ReservoirResult& result : four(kMnist, {72, 82, 85, 60}, .1)) results.push_back(std::move(result));
  const ReproductionReport made = report(results);
  EXPECT_THAT(made.remarks, Contains(HasSubstr("a tenth of it (not published): orders of the paper: 0 held, "
                                               "1 refuted, 0 undecided")));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("line search: orders of the paper: 1 held")));
}

// Bisc, Oza and GEEM on MNIST, r = 250; GEEM with both steps.
TEST(ReservoirReport, ComparesMethodsWithoutLineSearchWithBothSteps) {
  constexpr std::size_t kBisc = 0, kOza = 4, kGeem = 5;
  std::vector<ReservoirResult> results{
      cell(kMnist, kBisc, {80.8, 81, 81.1}), cell(kMnist, kOza, {84.7, 84.8, 84.95}),
      cell(kMnist, kGeem, {84.2, 84.3, 84.4}), cell(kMnist, kGeem, {70.1, 70.2, 70.4}, .1)};
  for (ReservoirResult& result : results) result.size = 1;
  const ReproductionReport made = reservoir_report(**find_reservoir_table("reservoir-table4"), results, "");
  ASSERT_EQ(made.table.rows.size(), 4u) << "none twice";
  EXPECT_EQ(std::get<std::string>(made.table.rows[0][1]), "its own");
  EXPECT_EQ(std::get<std::string>(made.table.rows[2][1]), "line search");
  EXPECT_THAT(made.remarks, Contains(HasSubstr("MNIST, r = 250, line search: Oza ≈ GEEM > Bisc: held")));
  EXPECT_THAT(made.remarks,
              Contains(HasSubstr("(not published): Oza ≈ GEEM > Bisc: refuted: Oza − GEEM +14.58")));
  EXPECT_THAT(made.remarks,
              Contains(HasSubstr("line search: orders of the paper: 1 held, 0 refuted, 0 undecided; "
                                 "accuracies of the paper: 1 held")));
  EXPECT_THAT(made.remarks, Contains("steps of their own: accuracies of the paper: 2 held, 0 refuted, 0 "
                                     "undecided"));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("MNIST, r = 250, steps of their own: points from the paper's "
                                               "accuracy: Bisc -0.02")));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("(not published): orders of the paper: 0 held, 1 refuted, 0 "
                                               "undecided; accuracies of the paper: 0 held, 1 refuted")));
  EXPECT_THAT(made.markdown, HasSubstr("| MNIST | its own | 250 | Oza − Bisc |"));
  EXPECT_THAT(made.markdown, HasSubstr("| MNIST | line search | 250 | GEEM − Bisc |"));
  EXPECT_THAT(made.markdown, HasSubstr("| MNIST | a tenth of it (not published) | 250 | GEEM − Bisc |"));
  EXPECT_THAT(made.markdown, Not(HasSubstr("| MNIST | a tenth of it (not published) | 250 | Oza − Bisc |")));
  EXPECT_THAT(made.caveat, HasSubstr("beside OSBoost.EXP"));
}

TEST(ReservoirReport, OfOneRunDecidesNothing) {
  std::vector<ReservoirResult> results;
  for (std::size_t method = 0; method < 4; ++method)
    results.push_back(cell(kMnist, method, {70. + double(method)}));
  const ReproductionReport made = report(results);
  EXPECT_THAT(made.remarks, Contains(HasSubstr("GEEM ≈ WSam > Rand > Max: undecided")));
  EXPECT_THAT(made.remarks, Contains(HasSubstr("0 held, 0 refuted, 4 undecided")));
}

TEST(ReservoirReport, HasAllPairsInItsFileAndAPicture) {
  const ReproductionReport made = report(four(kUsps, {80, 81, 82, 83}));
  EXPECT_THAT(made.markdown, HasSubstr("mash reproduce this"));
  EXPECT_THAT(made.markdown,
              HasSubstr("| USPS | line search | 100 | GEEM − Max | – | 3 ± 0.745 | 3 | 0 | 0.25 |"));
  EXPECT_THAT(made.markdown, HasSubstr("GEEM − WSam"));
  EXPECT_THAT(made.svg, HasSubstr("USPS, r = 100, line search"));
  EXPECT_THAT(report({cell(kUsps, 0, {80, 81})}).markdown, Not(HasSubstr("Pairs of methods")));
}

}  // namespace
}  // namespace mash
