// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/selection_figure.hpp"
#include "framework/reproductions/sampling/edge_figure.hpp"
#include "framework/reproductions/sampling/gap_figure.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BestSplit, AtFixedCost) {
  const BestSplit split = best_split(1e-2, 1e4);
  EXPECT_EQ(split.num_features, 56);
  EXPECT_NEAR(split.num_examples, 179, 1);
  EXPECT_NEAR(split.expected_edge, .18358, 1e-4);
  EXPECT_EQ(best_split(1e-2, 1e3).num_features, 13);
  EXPECT_EQ(best_split(1e-2, 1e5).num_features, 316);
  EXPECT_EQ(best_split(1e-4, 1e3).num_features, 6);
  EXPECT_EQ(best_split(1e-4, 1e4).num_features, 6);
  EXPECT_EQ(best_split(1e-4, 1e5).num_features, 13);
}

TEST(EdgeFigure, SimulationAgreesAndTheClaimHolds) {
  const ReproductionReport report = edge_figure_report(1);
  EXPECT_EQ(report.table.rows.size(), 6u);
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("holds at 3 of 3 costs"), HasSubstr("6 of 6 cases")));
  EXPECT_THAT(report.svg, HasSubstr("Q S = 100000"));
  EXPECT_EQ(report.svg.find("nan"), std::string::npos);
}

TEST(GapFigure, ComparesStrategiesAtEqualCost) {
  const std::vector<GapResult> results{{100, "few features", {{.2, .4}, {.4, .6}}},
                                       {100, "Laminating", {{.1, .1}, {.1, .3}}},
                                       {200, "few features", {{.2, .2}}},
                                       {200, "Laminating", {{.3, .3}}}};
  const ReproductionReport report = gap_figure_report(results);
  ASSERT_EQ(report.table.rows.size(), 4u);
  EXPECT_NEAR(std::get<double>(report.table.rows[0][4]), .4, 1e-12) << "the mean of .3 and .5";
  EXPECT_NEAR(std::get<double>(report.table.rows[0][5]), .141421, 1e-6);
  EXPECT_NEAR(std::get<double>(report.table.rows[0][6]), .5, 1e-12) << "of the last round";
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("Q S = 100: the gap is smallest for: Laminating"),
                                          HasSubstr("Q S = 200: the gap is smallest for: few features")));
}

std::vector<SelectionResult> selections() {
  using Runs = std::vector<std::vector<double>>;
  const Runs even(2, {.25, .25, .25, .25}), useful{{.5, .3, .1, .1}, {.6, .3, .1, 0}};
  return {{"diagonal", 2, "FULL", useful, even},
          {"diagonal", 2, "RANDOM", even, even},
          {"diagonal", 2, "UCB", even, useful},
          {"diagonal", 2, "EXP3.P", {{.4, .3, .2, .1}, {.4, .3, .2, .1}}, even},
          {"chess", 2, "UCB", even, even}};
}

TEST(SelectionFigure, SharesAreMeansOverSeeds) {
  const auto results = selections();
  const Table table = selection_figure_report(results).table;
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.columns.back().key, "x4");
  const auto& full = table.rows[0];
  EXPECT_NEAR(std::get<double>(full[3]), .85, 1e-12) << "of the features that matter";
  EXPECT_NEAR(std::get<double>(full[4]), .0707107, 1e-6);
  EXPECT_NEAR(std::get<double>(full[5]), .5, 1e-12) << "early";
  EXPECT_NEAR(std::get<double>(full[6]), .55, 1e-12);
  EXPECT_NEAR(std::get<double>(full[9]), .05, 1e-12);
}

TEST(SelectionFigure, SaysWhetherThePapersClaimsHold) {
  const auto results = selections();
  const auto remarks = selection_figure_report(results).remarks;
  ASSERT_EQ(remarks.size(), 5u);
  EXPECT_EQ(remarks[0],
            "diagonal FULL: 85.0 % of the rounds on the 2 features that matter, 50 % would be even");
  EXPECT_THAT(remarks[2], HasSubstr("\"stuck in an exploration mode\": holds"));
  EXPECT_THAT(remarks[3], HasSubstr("\"succeeded in identifying the useful features\": holds; \"almost as "
                                    "frequently as full\": holds"))
      << "70 % of 85 %";
  EXPECT_THAT(remarks[4], HasSubstr("\"succeeded in identifying the useful features\": does not hold"));
  EXPECT_EQ(remarks[4].find("as full"), std::string::npos) << "FULL was not run on it";
}

TEST(SelectionFigure, HasABarForEveryFeatureAndMethod) {
  const auto results = selections();
  const std::string svg = selection_figure_report(results).svg;
  std::size_t num_bars = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1))
    ++num_bars;
  EXPECT_EQ(num_bars, 5u * 4);
}

TEST(SelectionShares, AreCountedFromTheRecords) {
  sample::Folder folder;
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok());
  const Dataset data = sample::dataset();
  const auto id = records->begin(sample::start(), data, std::vector<FamilyRow>{sample::family("columns")});
  ASSERT_TRUE(id.ok());
  {
    const auto recorder = records->recorder(*id);
    const std::vector<std::uint32_t> selected{0, 2, 2, 1};
    for (std::uint32_t i = 0; i < 4; ++i) {
      RoundEvent event = sample::round(i + 1);
      event.cuts[0].feature_idx = selected[i];
      if (i == 3) event.alpha = 0;
      recorder->on_round(event);
    }
  }
  const auto shares = selection_shares(*records, *id, 3, 4);
  ASSERT_TRUE(shares.ok());
  EXPECT_THAT(*shares, ElementsAre(.25, 0, .5)) << "the last round found nothing";
  EXPECT_THAT(*selection_shares(*records, *id, 3, 2), ElementsAre(.5, 0, .5));
  EXPECT_FALSE(selection_shares(*records, *id, 2, 4).ok()) << "there is a feature more";
}

}  // namespace
}  // namespace mash
