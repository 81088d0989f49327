// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/reproduction.hpp"

#include <vector>

#include "framework/reproductions/common/report.hpp"
#include "framework/reproductions/sampling/chart.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CurvePoint point(std::uint32_t round, double loss, double test_error, double seconds) {
  CurvePoint p;
  p.round = round;
  p.train_loss_log10 = loss;
  p.test_error = test_error;
  p.seconds = seconds;
  return p;
}

Reproduction sample() {
  const PublishedTable* table = *find_published_table("table1");
  Reproduction result{table, 100, 0, false, {}};
  const PublishedMethod laminating = table->methods.back();
  const PublishedMethod ucb = table->methods[4];
  result.methods.push_back({laminating,
                            {{point(10, -.5, .21, 1), point(100, -1.1, .03, 10)},
                             {point(10, -.6, .23, 2), point(100, -1.2, .05, 12)}},
                            {{}, {}}});
  result.methods.push_back({ucb,
                            {{point(10, -.4, .40, 1), point(100, -.8, .10, 3)}, {point(10, -.4, .44, 1)}},
                            {{"scale", "32", 12, 1000, 40}, {"scale", "64", 12, 1000, 44}}});
  return result;
}

TEST(PublishedTables, HaveAllMethodsOfThePaper) {
  for (const char* name : {"table1", "table2", "table4"}) {
    const auto table = find_published_table(name);
    ASSERT_TRUE(table.ok());
    ASSERT_EQ((*table)->methods.size(), 13u);
    EXPECT_EQ((*table)->methods.back().sampler, "laminating");
    for (const PublishedMethod& method : (*table)->methods)
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LT(method.loss_log10[i], 0);
        EXPECT_GT(method.error[i], 0);
        // Loss falls with the rounds, up to the digits printed.
        if (i > 0) {
          EXPECT_LT(method.loss_log10[i], method.loss_log10[i - 1]) << method.name;
        }
      }
  }
  EXPECT_EQ((*find_published_table("table1"))->methods.back().error[2], 1.35);
  EXPECT_EQ((*find_published_table("table2"))->methods[4].loss_log10[3], -49.3);
  EXPECT_EQ((*find_published_table("table4"))->methods[6].error[2], 37.09);
  EXPECT_THAT(find_published_table("table3").error().message, HasSubstr("known: table1, table2, table4"));
}

TEST(ReproductionSummary, NamesTheStocksThatTheCostLeavesOut) {
  Reproduction reproduction{*find_published_table("table1"), 100, 0, false, {}};
  const auto curves = sample().methods[0].curves;
  for (const char* sampler : {"laminating", "tasting.1q"})
    for (const PublishedMethod& method : reproduction.table->methods)
      if (method.sampler == sampler) reproduction.methods.push_back({method, curves, {{}, {}}});
  const auto lines = reproduction_summary(reproduction);
  EXPECT_THAT(lines, ::testing::Contains(
                         "Tasting 1.Q: the cost leaves out its stock, 100 features of each family on all "
                         "examples in each round"));
  EXPECT_THAT(lines, Not(::testing::Contains(HasSubstr("Laminating: the cost"))));
}

TEST(ReproductionTable, ComparesMeansOverTheSeeds) {
  const Table table = reproduction_table(sample());
  ASSERT_EQ(table.rows.size(), 3u) << "UCB is not at 100 rounds with both of its seeds";
  const auto& row = table.rows[0];
  EXPECT_EQ(std::get<std::string>(row[0]), "Laminating");
  EXPECT_EQ(std::get<std::int64_t>(row[1]), 10);
  const std::vector<double> expected{-.55, -.55, 0, .0707107, .219, .22, .001, .0141421, 1.5};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(std::get<double>(row[i + 2]), expected[i], 1e-6) << i;
  EXPECT_EQ(std::get<std::string>(table.rows[2][0]), "Laminating");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[2][1]), 100);
}

TEST(ReproductionSummary, SaysOrderToleranceAndTuning) {
  const auto lines = reproduction_summary(sample());
  ASSERT_EQ(lines.size(), 2u) << "one method alone at 100 rounds has no order";
  EXPECT_EQ(
      lines[0],
      "10 rounds: 2 methods are too few for a rank correlation; 2 of 2 methods at most 0.35 points worse");
  EXPECT_EQ(lines[1], "UCB: scale tuned to 32, 64 by 12 trainings, 42.0 s a seed");
}

TEST(Reproduction, AMethodThatThePaperDoesNotHaveStandsBesideTheOthers) {
  Reproduction reproduction = sample();
  reproduction.methods.push_back({{"ours", "ours", "", {}, {}}, {{point(10, -.9, .1, 1)}}, {{}}});
  const Table table = reproduction_table(reproduction);
  const auto& row = table.rows[2];
  EXPECT_EQ(std::get<std::string>(row[0]), "ours");
  for (const std::size_t of_paper : {2u, 4u, 6u, 8u})
    EXPECT_TRUE(std::holds_alternative<std::monostate>(row[of_paper]));
  for (const std::size_t of_several_runs : {5u, 9u})
    EXPECT_TRUE(std::holds_alternative<std::monostate>(row[of_several_runs]));
  EXPECT_DOUBLE_EQ(std::get<double>(row[7]), .1);
  EXPECT_THAT(reproduction_summary(reproduction)[0], HasSubstr("2 of 2 methods"))
      << "it has no place in the order";
  EXPECT_THAT(reproduction_markdown(reproduction, ""), HasSubstr("| ours | – | -0.90 | – | – | 10.00 | – |"));
}

TEST(ReproductionSummary, ComparesAnotherMethodWithTheBestOnTheSameSeeds) {
  Reproduction reproduction = sample();
  reproduction.methods.push_back(
      {{"ours", "ours", "", {}, {}}, {{point(10, -.58, .1, 1)}, {point(10, -.62, .1, 1)}}, {{}, {}}});
  // Differences to Laminating: -0.08, -0.02; t = -5 / 3 with one degree of freedom.
  const auto lines = reproduction_summary(reproduction);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1],
            "10 rounds: ours has -0.0500 log10 loss against Laminating, the best of the paper's methods; p = "
            "0.34 of the paired t-test, less on 2 of 2 seeds");
}

TEST(ReproductionSummary, EqualDifferencesHaveNoProbability) {
  Reproduction reproduction = sample();
  reproduction.methods.push_back(
      {{"ours", "ours", "", {}, {}}, {{point(10, -.58, .1, 1)}, {point(10, -.68, .1, 1)}}, {{}, {}}});
  EXPECT_EQ(reproduction_summary(reproduction)[1],
            "10 rounds: ours has -0.0800 log10 loss against Laminating, the best of the paper's methods; the "
            "same on "
            "every seed, less on 2 of 2 seeds");
}

TEST(Reproduction, OfASubsetComparesTheOrderAlone) {
  Reproduction reproduction = sample();
  reproduction.table = *find_published_table("table4");
  EXPECT_EQ(reproduction_summary(reproduction)[0], "10 rounds: 2 methods are too few for a rank correlation");
  EXPECT_THAT(reproduction_markdown(reproduction, ""), HasSubstr("The data are a subset"));
}

TEST(ReproductionSummary, OfFiveMethodsHasARankCorrelation) {
  Reproduction reproduction{*find_published_table("table1"), 100, 0, false, {}};
  for (std::size_t i = 0; i < 5; ++i) {
    const PublishedMethod& method = reproduction.table->methods[i];
    reproduction.methods.push_back({method, {{point(10, -.5, method.error[0] / 100, 1)}}, {{}}});
  }
  EXPECT_EQ(
      reproduction_summary(reproduction)[0],
      "10 rounds: rank correlation with the paper's errors 1.00; 5 of 5 methods at most 0.35 points worse");
}

TEST(Reproduction, OfOtherSettingsIsNotMeasuredByThePapersErrors) {
  Reproduction reproduction = sample();
  reproduction.is_changed = true;
  EXPECT_THAT(reproduction_summary(reproduction)[0], Not(HasSubstr("points worse")));
}

// 4 580 evaluations in ten rounds on 20 examples are 22.9 N a round.
TEST(Reproduction, NamesTheMethodsThatCostMoreThanThePapers) {
  Reproduction reproduction = sample();
  reproduction.num_train = 20;
  for (ReproducedMethod& method : reproduction.methods)
    for (auto& curve : method.curves)
      for (CurvePoint& at : curve) at.cost = (&method == &reproduction.methods[0] ? 458u : 200u) * at.round;
  const Table table = reproduction_table(reproduction);
  EXPECT_EQ(table.columns.back().key, "features_per_round");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0].back()), 22.9);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1].back()), 10);
  const auto lines = reproduction_summary(reproduction);
  EXPECT_THAT(lines,
              ::testing::Contains(HasSubstr("Laminating: costs 22.9 N a round (N: 20 training examples)")));
  EXPECT_THAT(lines, Not(::testing::Contains(HasSubstr("UCB: costs"))));
  EXPECT_THAT(reproduction_markdown(reproduction, ""), HasSubstr("| 1.5 | 22.9 |"));
}

TEST(TellChanges, StandBeforeTheCommandAndInTheCaveat) {
  ReproductionReport report;
  report.caveat = "The data are a subset.";
  report.markdown = markdown_head("Table", report.caveat, "mash reproduce table4 --set dataset.train=20");
  const ReproductionReport before = report;
  tell_changes({}, report);
  EXPECT_EQ(report.markdown, before.markdown);
  const std::vector<std::string> settings{"dataset.train=20", "dataset.test=10"};
  tell_changes(settings, report);
  EXPECT_THAT(report.caveat,
              HasSubstr("a subset. Not as published: dataset.train=20, dataset.test=10 set here."));
  EXPECT_LT(report.markdown.find("Not as published"), report.markdown.find("mash reproduce"));
}

TEST(ReproductionMarkdown, HasATableForEachNumberOfRounds) {
  const std::string text = reproduction_markdown(sample(), "mash reproduce table1");
  EXPECT_THAT(text, HasSubstr("# MNIST, Dubout & Fleuret 2014, Table 1"));
  EXPECT_THAT(text, HasSubstr("```\nmash reproduce table1\n```\n\nTraining revision "));
  EXPECT_THAT(text, HasSubstr("## T = 10\n"));
  EXPECT_THAT(
      text, HasSubstr("| Laminating | -0.55 | -0.55 ± 0.07 | +0.00 | 21.90 | 22.00 ± 1.41 | +0.10 | 1.5 |"));
  EXPECT_EQ(text.find("## T = 1000"), std::string::npos);
}

TEST(ReproductionSvg, HasALineOfEveryMethodInEveryPanel) {
  const std::string svg = reproduction_svg(sample());
  const auto count = [&](std::string_view text) {
    int found = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<title>Laminating</title>"), 4);
  EXPECT_EQ(count("<title>UCB</title>"), 4);
  EXPECT_EQ(count("<title>MNIST, Dubout &amp; Fleuret 2014, Table 1</title>"), 1);
  EXPECT_EQ(count("#d55e00"), 5) << "four lines and the legend";
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace mash
