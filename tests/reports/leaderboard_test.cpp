// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/reports/leaderboard_of_records.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

// A run of fewer rounds is the beginning of a longer one of its seed: both together are one.
TEST_F(LeaderboardTest, OfRunsThatDifferInRoundsAloneTheLongestCounts) {
  const auto play = [&](std::uint64_t seed, const std::string& rounds, double alpha) {
    RunStart start = sample::start("rounds-" + rounds, seed);
    start.setup = "rounds: " + rounds;
    start.any_rounds_setup = "any rounds";
    const std::int64_t id = record(start, {sample::family("hog"), sample::family("lbp", "Ben")},
                                   {sample::use(alpha), sample::use(1)});
    sample::database(*records_).exec("UPDATE experiments SET num_rounds = " + rounds +
                                     " WHERE id = " + std::to_string(id));
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    play(seed, "20", 3);
    for (const char* fewer : {"7", "8", "9"}) play(seed, fewer, 1);
  }
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(integers(table, "num_experiments"), ElementsAre(3, 3));
  EXPECT_EQ(first_estimate(table, "alpha_share").mean, .75) << "of the longest runs";
  EXPECT_THAT(integers(board(LeaderboardBy::kContributor), "num_experiments"), ElementsAre(3, 3));
  EXPECT_EQ(board(LeaderboardBy::kExperiment).rows.size(), 4u) << "each number of rounds has its results";
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
  FamilyRow fine = sample::family("hog");
  fine.name = "hog(cell=4)";
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
  RunStart longer = sample::start("demo", 2);
  longer.configuration += "weak: {name: stump}\n";
  record(longer, {sample::family("hog")}, {sample::use()});
  EXPECT_THAT(integers(board(LeaderboardBy::kExperiment), "runs"), ElementsAre(1, 1));
}

TEST_F(LeaderboardTest, OtherSettingsOfADataSetAreOtherData) {
  std::size_t num_wrong = 0;
  for (const char* settings : {"", ", clutter: \"0\"", ", clutter: \"4\""}) {
    RunStart begin = sample::start(std::string("demo") + settings);
    begin.configuration = fmt::format("dataset: {{name: digits{}}}\n{}", settings, begin.configuration);
    record(begin, {sample::family("hog")}, {sample::use()}, num_wrong++);
  }
  for (const LeaderboardBy by : {LeaderboardBy::kExperiment, LeaderboardBy::kStrategy}) {
    const Table table = board(by);
    EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 1, 1));
    EXPECT_THAT(integers(table, "rank_high"), ElementsAre(1, 1, 1));
    EXPECT_THAT(texts(table, "dataset_settings"), ElementsAre("", "clutter: 0", "clutter: 4"));
  }
}

TEST_F(LeaderboardTest, StrategiesAreRankedAmongEqualsOnly) {
  const auto start = [](const char* sampler, std::uint32_t rounds) {
    RunStart begin = sample::start(std::string(sampler) + std::to_string(rounds));
    begin.booster->sampler = sampler;
    begin.booster->rounds = rounds;
    begin.configuration = begin.name;
    return begin;
  };
  record(start("full", 10), {sample::family("hog")}, {sample::use()}, 3);
  record(start("laminating", 10), {sample::family("hog")}, {sample::use()}, 1);
  record(start("full", 100), {sample::family("hog")}, {sample::use()}, 0);
  record(start("uniform.q1", 10), {sample::family("lbp")}, {sample::use()}, 5);
  const Table table = board(LeaderboardBy::kStrategy);
  ASSERT_EQ(table.rows.size(), 4u);
  // Laminating is the better of the two with the features of hog and 10 rounds; the others are alone.
  const auto samplers = texts(table, "sampler");
  const auto ranks = integers(table, "rank");
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const bool is_second = samplers[i] == "full" && integers(table, "rounds")[i] == 10;
    EXPECT_EQ(ranks[i], is_second ? 2 : 1) << samplers[i];
  }
  // 1000 pairs in 10 rounds over 10 examples.
  EXPECT_DOUBLE_EQ(std::get<double>(column(table, "features_per_round").at(0)), 10);
}

TEST_F(LeaderboardTest, AHeuristicThatIsAlwaysAheadIsSurelyFirst) {
  const std::vector<FamilyRow> families{sample::family("hog", "Ada"), sample::family("lbp", "Bob"),
                                        sample::family("mct", "Cyd")};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    // lbp and mct are ahead of each other in turn.
    const double turn = seed % 2 ? 0.1 : -0.1;
    record(sample::start("demo", seed), families,
           {sample::use(6 + 0.1 * double(seed)), sample::use(1 + turn), sample::use(1 - turn)});
  }
  const Table heuristics = board(LeaderboardBy::kHeuristic);
  EXPECT_EQ(texts(heuristics, "heuristic")[0], "hog");
  EXPECT_THAT(integers(heuristics, "rank_low"), ElementsAre(1, 2, 2));
  EXPECT_THAT(integers(heuristics, "rank_high"), ElementsAre(1, 3, 3));
  const Table contributors = board(LeaderboardBy::kContributor);
  EXPECT_EQ(texts(contributors, "author")[0], "Ada");
  EXPECT_THAT(integers(contributors, "rank_low"), ElementsAre(1, 2, 2));
  EXPECT_THAT(integers(contributors, "rank_high"), ElementsAre(1, 3, 3));
}

TEST_F(LeaderboardTest, OfOneExperimentNoRankIsSure) {
  record(sample::start(), {sample::family("hog"), sample::family("lbp"), sample::family("mct")},
         {sample::use(9), sample::use(2), sample::use(1)});
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 2, 3));
  EXPECT_THAT(integers(table, "rank_low"), ElementsAre(1, 1, 1));
  EXPECT_THAT(integers(table, "rank_high"), ElementsAre(3, 3, 3));
}

// The mistakes on ten test examples, with the same seeds: none or one against six or seven, and against none.
TEST_F(LeaderboardTest, ExperimentsAndStrategiesAreComparedOverSeeds) {
  const auto start = [](const char* sampler, std::uint64_t seed, std::uint32_t rounds) {
    RunStart begin = sample::start(sampler + std::to_string(rounds), seed);
    begin.booster->sampler = sampler;
    begin.booster->rounds = rounds;
    begin.configuration += begin.name;
    return begin;
  };
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    record(start("full", seed, 10), {sample::family("hog")}, {sample::use()}, 6 + seed % 2);
    record(start("laminating", seed, 10), {sample::family("hog")}, {sample::use()}, seed / 3);
    record(start("full", seed, 20), {sample::family("hog")}, {sample::use()}, 0);
  }
  const Table strategies = board(LeaderboardBy::kStrategy);
  EXPECT_THAT(texts(strategies, "sampler"), ElementsAre("laminating", "full", "full"));
  EXPECT_THAT(integers(strategies, "rank_low"), ElementsAre(1, 2, 1)) << "20 rounds are another contest";
  EXPECT_THAT(integers(strategies, "rank_high"), ElementsAre(1, 2, 1));
  const Table experiments = board(LeaderboardBy::kExperiment);
  EXPECT_THAT(texts(experiments, "experiment"), ElementsAre("full20", "laminating10", "full10"));
  EXPECT_THAT(integers(experiments, "rank_low"), ElementsAre(1, 1, 3));
  EXPECT_THAT(integers(experiments, "rank_high"), ElementsAre(2, 2, 3));
}

TEST_F(LeaderboardTest, AContributorsCostIsTheMeanOfTheirHeuristics) {
  FamilyRow fast = sample::family("a", "Ada"), slow = sample::family("c", "Ada");
  fast.microseconds_per_image = 2;
  slow.microseconds_per_image = 6;
  record(sample::start(), {fast, sample::family("b", "Bob"), slow},
         {sample::use(4), sample::use(2), sample::use(2)});
  const Table table = board(LeaderboardBy::kContributor);
  EXPECT_THAT(texts(table, "author"), ElementsAre("Ada", "Bob"));
  EXPECT_NEAR(std::get<double>(column(table, "seconds_per_image")[0]), 4e-6, 1e-12);
  const auto json = nlohmann::json::parse(render_json(table));
  for (const char* key : {"rank", "rank_low", "rank_high"}) EXPECT_TRUE(json["rows"][0].contains(key)) << key;
}

// Two budgets of one sampler are two rows, which say which is which; equal settings are not told.
TEST_F(LeaderboardTest, ExperimentsAndStrategiesSayByWhichSettingsTheyDiffer) {
  for (const char* budget : {"5", "10"}) {
    RunStart start = sample::start(std::string("budget ") + budget);
    start.setup = budget;
    start.settings = {{"sampler.name", "laminating", false},
                      {"sampler.budget", budget, false},
                      {"sampler.features", "auto", true},
                      {"dataset.train", budget, false}};
    record(start, {sample::family("hog")}, {sample::use()}, budget[0] - '0');
  }
  for (const LeaderboardBy by : {LeaderboardBy::kExperiment, LeaderboardBy::kStrategy})
    EXPECT_THAT(texts(board(by), "settings"),
                ::testing::UnorderedElementsAre("sampler.budget 5", "sampler.budget 10"));
  for (const Cell& cell : column(board(LeaderboardBy::kHeuristic), "settings"))
    EXPECT_TRUE(std::holds_alternative<std::monostate>(cell)) << "it is there with one of them";
}

TEST_F(LeaderboardTest, AloneARowDiffersFromNothing) {
  RunStart start = sample::start();
  start.settings = {{"sampler.name", "laminating", false}, {"sampler.budget", "5", false}};
  record(start, {sample::family("hog")}, {sample::use()});
  const std::vector<Cell> settings = column(board(LeaderboardBy::kExperiment), "settings");
  ASSERT_EQ(settings.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(settings[0]));
}

// Spellings of one meaning are one contest.
TEST_F(LeaderboardTest, ContestsArePartedByTheSettingsOfDataAsTheyHold) {
  const std::pair<const char*, bool> labels[] = {{"last", true}, {"last", true}, {"first", false}};
  for (std::size_t i = 0; i < std::size(labels); ++i) {
    RunStart start = sample::start("e" + std::to_string(i));
    start.configuration = fmt::format("dataset: {{name: csv, label: \"{}\"}}\nseed: 1\n", -int(i));
    start.setup = std::to_string(i);
    start.settings = {{"dataset.name", "csv", false}, {"dataset.label", labels[i].first, labels[i].second}};
    record(start, {sample::family("hog")}, {sample::use()});
  }
  EXPECT_THAT(texts(board(LeaderboardBy::kExperiment), "dataset_settings"),
              ::testing::UnorderedElementsAre("", "", "label: first"));
}

}  // namespace
}  // namespace mash
