// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LeaderboardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  void record(const ExperimentStart& start, const std::vector<FamilyInfo>& families,
              const std::vector<FamilyUse>& uses, std::size_t num_wrong = 1) {
    const auto id = sample::record(*records_, start, data_, families, uses, num_wrong);
    ASSERT_TRUE(id.ok()) << id.error().message;
  }

  Table board(LeaderboardBy by) {
    Result<Table> table = leaderboard(*records_, by);
    EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message);
    return table.ok() ? *table : Table();
  }

  static std::vector<Cell> column(const Table& table, const std::string& key) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].key != key) continue;
      for (const auto& row : table.rows) cells.push_back(row[i]);
    }
    return cells;
  }
  static std::vector<std::string> texts(const Table& table, const std::string& key) {
    std::vector<std::string> out;
    for (const Cell& cell : column(table, key)) out.push_back(std::get<std::string>(cell));
    return out;
  }
  static std::vector<std::int64_t> integers(const Table& table, const std::string& key) {
    std::vector<std::int64_t> out;
    for (const Cell& cell : column(table, key)) out.push_back(std::get<std::int64_t>(cell));
    return out;
  }
  static Estimate first_estimate(const Table& table, const std::string& key) {
    return std::get<Estimate>(column(table, key).at(0));
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset(10);
  std::unique_ptr<Records> records_;
};

TEST(LeaderboardBy, KnowsItsWords) {
  EXPECT_EQ(*parse_leaderboard_by("heuristic"), LeaderboardBy::kHeuristic);
  EXPECT_EQ(*parse_leaderboard_by("strategy"), LeaderboardBy::kStrategy);
}

TEST(LeaderboardBy, RefusesOtherWordsAndListsItsOwn) {
  const auto by = parse_leaderboard_by("heuristics");
  ASSERT_FALSE(by.ok());
  EXPECT_EQ(by.error().kind, ErrorKind::kInput);
  EXPECT_THAT(by.error().message, HasSubstr("contributor"));
}

TEST_F(LeaderboardTest, AnEmptyDatabaseGivesAHint) {
  for (const LeaderboardBy by : {LeaderboardBy::kHeuristic, LeaderboardBy::kContributor,
                                 LeaderboardBy::kExperiment, LeaderboardBy::kStrategy}) {
    const Table table = board(by);
    EXPECT_TRUE(table.rows.empty());
    EXPECT_FALSE(table.columns.empty());
    EXPECT_THAT(render_text(table), HasSubstr("mash run"));
  }
}

TEST_F(LeaderboardTest, HeuristicsAreRankedByTheirShareOfAlpha) {
  record(sample::start(), {sample::family("hog"), sample::family("lbp"), sample::family("haar")},
         {sample::use(1), sample::use(3), sample::use(0)});
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("lbp", "hog", "haar"));
  EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 2, 3));
  EXPECT_DOUBLE_EQ(first_estimate(table, "alpha_share").mean, 0.75);
  EXPECT_FALSE(first_estimate(table, "alpha_share").half_width.has_value());
  EXPECT_DOUBLE_EQ(std::get<double>(column(table, "seconds_per_image").at(0)), 20e-6);
  EXPECT_DOUBLE_EQ(std::get<double>(column(table, "loss_removed_per_1000_offers").at(0)), 0.5);
}

TEST_F(LeaderboardTest, FamiliesOfAHeuristicCountTogether) {
  FamilyInfo fine = sample::family("hog");
  fine.spec.name = "hog(cell=4)";
  record(sample::start(), {sample::family("hog"), fine, sample::family("lbp")},
         {sample::use(1, 2), sample::use(2, 3), sample::use(1, 5)});
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("hog", "lbp"));
  EXPECT_THAT(integers(table, "chosen"), ElementsAre(5, 5));
  EXPECT_THAT(integers(table, "evaluated"), ElementsAre(128000, 64000));
  EXPECT_DOUBLE_EQ(std::get<double>(column(table, "seconds_per_image").at(0)), 40e-6);
}

TEST_F(LeaderboardTest, TiesShareARank) {
  record(sample::start(),
         {sample::family("a"), sample::family("b"), sample::family("c"), sample::family("d")},
         {sample::use(2), sample::use(1), sample::use(2), sample::use(0.5)});
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("a", "c", "b", "d"));
  EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 1, 3, 4));
}

TEST_F(LeaderboardTest, SharesOfSeveralRunsAreAveragedWithAnInterval) {
  record(sample::start("demo", 1), {sample::family("hog"), sample::family("lbp")},
         {sample::use(3), sample::use(1)});
  record(sample::start("demo", 2), {sample::family("hog"), sample::family("lbp")},
         {sample::use(1), sample::use(1)});
  const Estimate share = first_estimate(board(LeaderboardBy::kHeuristic), "alpha_share");
  EXPECT_DOUBLE_EQ(share.mean, 0.625);
  // Shares 3/4 and 1/2: the deviation is 1/8 * sqrt(2), and t(0.975; 1) = 12.7062.
  EXPECT_NEAR(*share.half_width, 12.7062 * 0.125, 1e-4);
}

TEST_F(LeaderboardTest, AHeuristicWithoutCompetitionHasNoShareAndComesLast) {
  record(sample::start("alone"), {sample::family("solo")}, {sample::use(9)});
  record(sample::start("both"), {sample::family("hog"), sample::family("lbp")},
         {sample::use(1), sample::use(0)});
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("hog", "lbp", "solo"));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "alpha_share").at(2)));
}

TEST_F(LeaderboardTest, UnfinishedRunsDoNotCount) {
  ASSERT_TRUE(records_->begin(sample::start(), data_, std::vector{sample::family("hog")}).ok());
  EXPECT_TRUE(board(LeaderboardBy::kHeuristic).rows.empty());
  EXPECT_TRUE(board(LeaderboardBy::kExperiment).rows.empty());
}

TEST_F(LeaderboardTest, NothingChosenIsNoDivisionByZero) {
  record(sample::start(), {sample::family("hog"), sample::family("lbp")}, {FamilyUse{}, FamilyUse{}});
  const Table table = board(LeaderboardBy::kHeuristic);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "alpha_share").at(0)));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "loss_removed_per_1000_offers").at(0)));
}

TEST_F(LeaderboardTest, ContributorsAreTheSumOfTheirHeuristics) {
  record(sample::start(),
         {sample::family("a", "Ada"), sample::family("b", "Bob"), sample::family("c", "Ada")},
         {sample::use(1, 1), sample::use(2, 4), sample::use(5, 2)});
  const Table table = board(LeaderboardBy::kContributor);
  EXPECT_THAT(texts(table, "author"), ElementsAre("Ada", "Bob"));
  EXPECT_THAT(integers(table, "num_heuristics"), ElementsAre(2, 1));
  EXPECT_THAT(integers(table, "chosen"), ElementsAre(3, 4));
  EXPECT_DOUBLE_EQ(first_estimate(table, "alpha_share").mean, 0.75);
}

TEST_F(LeaderboardTest, SeedsOfAnExperimentAreOneLine) {
  record(sample::start("demo", 1), {sample::family("hog")}, {sample::use()}, 1);
  record(sample::start("demo", 2), {sample::family("hog")}, {sample::use()}, 2);
  record(sample::start("demo", 3), {sample::family("hog")}, {sample::use()}, 3);
  record(sample::start("better", 1), {sample::family("hog")}, {sample::use()}, 0);
  const Table table = board(LeaderboardBy::kExperiment);
  EXPECT_THAT(texts(table, "experiment"), ElementsAre("better", "demo"));
  EXPECT_THAT(integers(table, "runs"), ElementsAre(1, 3));
  const Estimate error = std::get<Estimate>(column(table, "test_error").at(1));
  EXPECT_DOUBLE_EQ(error.mean, 0.2);
  EXPECT_NEAR(*error.half_width, 4.30265 * 0.1 / std::sqrt(3), 1e-6);
}

TEST_F(LeaderboardTest, OtherSettingsAreAnotherLine) {
  record(sample::start("demo", 1), {sample::family("hog")}, {sample::use()});
  ExperimentStart longer = sample::start("demo", 2);
  longer.configuration += "weak: {name: stump}\n";
  record(longer, {sample::family("hog")}, {sample::use()});
  EXPECT_THAT(integers(board(LeaderboardBy::kExperiment), "runs"), ElementsAre(1, 1));
}

TEST_F(LeaderboardTest, StrategiesAreRankedAmongEqualsOnly) {
  const auto start = [](const char* sampler, std::uint32_t rounds) {
    ExperimentStart begin = sample::start(std::string(sampler) + std::to_string(rounds));
    begin.sampler = sampler;
    begin.rounds = rounds;
    begin.configuration = begin.name;
    return begin;
  };
  record(start("full", 10), {sample::family("hog")}, {sample::use()}, 3);
  record(start("laminating", 10), {sample::family("hog")}, {sample::use()}, 1);
  record(start("full", 100), {sample::family("hog")}, {sample::use()}, 0);
  record(start("uniform.q1", 10), {sample::family("lbp")}, {sample::use()}, 5);
  const Table table = board(LeaderboardBy::kStrategy);
  ASSERT_EQ(table.rows.size(), 4u);
  // Of the two with the features of hog and 10 rounds, laminating is better; the others stand alone.
  const auto samplers = texts(table, "sampler");
  const auto ranks = integers(table, "rank");
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const bool is_second = samplers[i] == "full" && integers(table, "rounds")[i] == 10;
    EXPECT_EQ(ranks[i], is_second ? 2 : 1) << samplers[i];
  }
  // 1000 pairs in 10 rounds over 10 examples.
  EXPECT_DOUBLE_EQ(std::get<double>(column(table, "features_per_round").at(0)), 10);
}

}  // namespace
}  // namespace mash
