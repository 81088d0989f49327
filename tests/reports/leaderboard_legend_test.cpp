// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard_legend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/records/credits.hpp"
#include "framework/records/offers.hpp"
#include "framework/reports/leaderboard.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CreditBoardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  void record(const RunStart& start, const std::vector<FamilyRow>& families,
              const std::vector<FamilyUse>& uses) {
    ASSERT_TRUE(sample::record(*records_, start, data_, families, uses, 1).ok());
  }

  // The offer of a heuristic of a pool beside the others of it, after eight seeds.
  void keep_offer_of(const std::string& heuristic, double gain,
                     const std::vector<std::string>& pool = {"hog", "lbp"}) {
    OfferRow row;
    row.heuristic = heuristic;
    row.version = "1.0.0";
    row.dataset_fingerprint = "f";
    row.dataset = "digits";
    row.side = kTestSide;
    row.newcomer = {heuristic};
    for (const std::string& other : pool)
      if (other != heuristic) row.pool.push_back(other);
    row.experiment = "demo";
    row.num_seeds = 8;
    row.gain = gain;
    row.standard_error = .1;
    row.low = gain - .2;
    row.high = gain + .2;
    row.finding = "adds";
    ASSERT_TRUE(keep_offer(*records_, row).ok());
  }
  void keep_offers() {
    keep_offer_of("hog", 3);
    keep_offer_of("lbp", 2);
  }
  void keep_parts(const CreditParts& hog, const CreditParts& lbp) {
    const CreditedPool pool{"f", family_set_key(std::vector<std::string>{"hog", "lbp"}), 50};
    const std::vector<CreditRow> rows{{"hog", "1.0.0", .5, .05, hog}, {"lbp", "1.0.0", .3, .05, lbp}};
    ASSERT_TRUE(keep_credits(*records_, pool, rows).ok());
  }

  Table board(LeaderboardBy by = LeaderboardBy::kHeuristic) {
    Result<Table> table = leaderboard(*records_, by);
    EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message);
    return table.ok() ? *table : Table();
  }
  static Table short_table(const Table& table) {
    Result<Table> shown = short_leaderboard(table, LeaderboardBy::kHeuristic, {});
    EXPECT_TRUE(shown.ok());
    return shown.ok() ? *shown : Table();
  }
  static std::vector<std::string> shown(const Table& table, const std::string& key) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].key == key)
        for (const auto& row : table.rows) texts.push_back(show(row[i], table.columns[i].format));
    return texts;
  }
  static std::string legend(const Table& table) {
    return leaderboard_legend(table, LeaderboardBy::kHeuristic);
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset(10);
  std::unique_ptr<Records> records_;
};

TEST_F(CreditBoardTest, CreditsOfAllOrdersAreRankedOverSeedsAndPictures) {
  keep_offers();
  const std::vector<double> hog{.5, .51, .49, .5, .5}, lbp{.3, .29, .3, .31, .3};
  keep_parts({{}, hog, {.5, .5}}, {{}, lbp, {.3, .3}});
  const Table table = board();
  EXPECT_THAT(shown(table, "rank_low"), ElementsAre("1", "2"));
  EXPECT_THAT(shown(table, "rank_high"), ElementsAre("1", "2"));
  EXPECT_THAT(shown(table, "narrowed_by"), ElementsAre("–", "–"));
  // Pictures that speak for the one or for the other, equally with each seed.
  keep_parts({{}, hog, {4, -3, .5}}, {{}, lbp, {.3, .3, .3}});
  const Table open = board();
  EXPECT_THAT(shown(open, "rank"), ElementsAre("1", "1"));
  EXPECT_THAT(shown(open, "rank_high"), ElementsAre("2", "2"));
  EXPECT_EQ(shown(open, "narrowed_by")[0], "mash report RUN --rounds 50 --seeds 10") << "no run is recorded";
}

// A report of another learner would replace the credits by those of another quantity.
TEST_F(CreditBoardTest, ARunIsNamedWhereAllRunsOfThePoolTrainAlike) {
  keep_offers();
  const std::vector<double> many{.5, .51, .49, .5, .5};
  keep_parts({{}, many, {4, -3, .5}}, {{}, many, {.3, .3, .3}});
  const auto record = [&](std::uint64_t seed, const std::string& booster) {
    RunStart start = sample::start("demo", seed);
    start.configuration = "booster: {name: " + booster + "}\nseed: 1\nruns: 1\n";
    start.any_rounds_setup = booster;
    EXPECT_TRUE(sample::record(*records_, start, data_, {sample::family("hog"), sample::family("lbp")},
                               {sample::use(), sample::use()}, 1)
                    .ok());
  };
  record(1, "adaboost.mh");
  record(2, "adaboost.mh");
  EXPECT_EQ(shown(board(), "narrowed_by")[0], "mash report 2 --rounds 50 --seeds 10");
  record(3, "reservoir");
  EXPECT_THAT(legend(board()), HasSubstr("--seeds 10; RUN: the run that these credits are of"));
  EXPECT_EQ(shown(board(), "narrowed_by")[0], "mash report RUN --rounds 50 --seeds 10");
}

// An error without the pictures is too small: it and the rank are not known, until the pool is measured
// again.
TEST_F(CreditBoardTest, CreditsOfAFormerVersionHaveNoRankAndNoError) {
  keep_offers();
  keep_parts({{}, {.5, .51, .49, .5, .5}}, {{}, {.3, .29, .3, .31, .3}});
  const Table table = board();
  EXPECT_THAT(shown(short_table(table), "rank"), ElementsAre("not known", "not known"));
  const auto json = nlohmann::json::parse(render_json(table));
  EXPECT_EQ(json["rows"][0]["shapley"], .5);
  EXPECT_TRUE(json["rows"][0]["shapley_ci95"].is_null());
  EXPECT_EQ(json["rows"][0]["narrowed_by"], "mash report RUN --rounds 50 --seeds 5") << "as many seeds do";
  EXPECT_THAT(legend(table),
              HasSubstr("Not known: hog, lbp, as credits of one seed, of too few orders, or of "
                        "a former version have no error.\n"));
}

// All orders of up to seven families count, so that a number of them has no effect; there are no more seeds
// than the report takes.
TEST_F(CreditBoardTest, CommandsHaveNoOptionsThatMeasureNothing) {
  keep_offers();
  const std::vector<double> pictures{4, -3, .5}, others{.3, .3, .3};
  keep_parts({{.4, .41, .42, .4}, {.5, .51}, pictures}, {{.2, .21, .2, .2}, {.3, .31}, others});
  EXPECT_EQ(shown(board(), "narrowed_by")[0], "mash report RUN --rounds 50 --seeds 5");
  std::vector<double> many(1000, .5);
  many[0] = .51;
  keep_parts({{}, many, pictures}, {{}, std::vector<double>(1000, .3), others});
  const Table table = board();
  EXPECT_THAT(shown(table, "rank_high"), ElementsAre("2", "2"));
  EXPECT_THAT(shown(table, "narrowed_by"), ElementsAre("–", "–"));
}

// One of nine that had too few orders has no rank; the others keep theirs, which may be one behind it.
TEST_F(CreditBoardTest, OneThatCannotBeComparedTakesNoRankFromTheOthers) {
  const std::vector<std::string> pool{"a", "b", "c", "d", "e", "f", "hog", "lbp", "own"};
  const std::vector<double> seeds{.1, .11, .12, .1}, pictures{.1, .1, .1};
  std::vector<CreditRow> rows;
  for (const auto& [heuristic, credit] : {std::pair("hog", .5), std::pair("lbp", .3), std::pair("own", .1)}) {
    keep_offer_of(heuristic, credit, pool);
    std::vector<double> pairs;
    for (const double part : {.01, -.01, 0., .01}) pairs.push_back(credit * (1 + part));
    if (heuristic == std::string("own")) pairs[0] = pairs[1] = NAN;
    rows.push_back({heuristic, "1.0.0", credit, .01, {pairs, seeds, pictures}});
  }
  ASSERT_TRUE(keep_credits(*records_, {"f", family_set_key(pool), 50}, rows).ok());
  const Table table = board();
  EXPECT_THAT(shown(table, "heuristic"), ElementsAre("hog", "lbp", "own"));
  EXPECT_THAT(shown(table, "rank_low"), ElementsAre("1", "2", "–"));
  EXPECT_THAT(shown(table, "rank_high"), ElementsAre("2", "3", "–"));
  EXPECT_THAT(shown(table, "expected_rank"), ElementsAre("–", "–", "–")) << "no coin is tossed";
  EXPECT_THAT(shown(short_table(table), "rank"), ElementsAre("1–2", "2–3", "not known"));
  EXPECT_EQ(shown(table, "narrowed_by")[0], "mash report RUN --rounds 50 --seeds 8 --orders 48");
  EXPECT_THAT(legend(table), HasSubstr("Not known: own, as credits"));
}

TEST_F(CreditBoardTest, CreditsThatCannotBeComparedAreOpen) {
  record(sample::start(), {sample::family("hog"), sample::family("lbp")}, {sample::use(3), sample::use(1)});
  keep_offers();
  const std::vector<double> seeds{.1, .11, .12, .1};
  // Two pairs of permutations have both.
  const std::vector<double> pictures{.1, .1};
  keep_parts({{.4, .41, NAN, NAN, .4}, seeds, pictures}, {{NAN, .2, .21, .2, .2}, seeds, pictures});
  const Table table = board();
  EXPECT_THAT(shown(table, "heuristic"), ElementsAre("hog", "lbp")) << "by credit";
  const auto json = nlohmann::json::parse(render_json(table));
  for (const std::size_t row : {0u, 1u}) EXPECT_TRUE(json["rows"][row]["expected_rank"].is_null());
  const std::string command = "mash report 1 --rounds 50 --seeds 8";
  EXPECT_EQ(json["rows"][0]["narrowed_by"], command);
  EXPECT_THAT(shown(short_table(table), "rank"), ElementsAre("1–2", "1–2"));
  EXPECT_THAT(legend(table), AllOf(HasSubstr("By credit"), Not(HasSubstr("Not known")),
                                   HasSubstr("\nNarrower ranks: " + command + "\n")));
}

TEST_F(CreditBoardTest, WithoutOffersTheShortTableHasTheSharesByWhichItRanks) {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    record(sample::start("demo", seed), {sample::family("hog"), sample::family("lbp")},
           {sample::use(3 + double(seed)), sample::use(1)});
  const Table table = board(), shares = short_table(table);
  EXPECT_THAT(render_text(shares), HasSubstr("share of α ± 95 %"));
  EXPECT_THAT(shown(shares, "num_contested"), ElementsAre("3", "3"));
  EXPECT_THAT(legend(table),
              AllOf(HasSubstr("Rank: "), HasSubstr("By share of α"), Not(HasSubstr("By gain"))));
  keep_offer_of("hog", 3);
  const Table offered = board(), gains = short_table(offered);
  EXPECT_THAT(shown(gains, "alpha_share"), IsEmpty());
  EXPECT_EQ(shown(gains, "num_seeds")[0], "8");
  EXPECT_THAT(legend(offered), AllOf(HasSubstr("By gain"), HasSubstr("By share of α")));
}

TEST_F(CreditBoardTest, TheLegendSaysThatErrorsAreOfTheseTestPictures) {
  record(sample::start(), {sample::family("hog")}, {sample::use()});
  for (const LeaderboardBy by : {LeaderboardBy::kExperiment, LeaderboardBy::kStrategy})
    EXPECT_THAT(leaderboard_legend(board(by), by), HasSubstr("these test pictures alone; mash compare"));
  EXPECT_EQ(legend(Table()), "");
}

}  // namespace
}  // namespace mash
