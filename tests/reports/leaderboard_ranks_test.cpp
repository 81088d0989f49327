// SPDX-License-Identifier: Apache-2.0
// Boards of heuristics that were offered beside each other.
#include "framework/reports/leaderboard_ranks.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/records/credits.hpp"
#include "framework/records/offer_details.hpp"
#include "framework/reports/leaderboard_legend.hpp"
#include "tests/reports/leaderboard_of_records.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(LeaderboardTest, HeuristicsOfAPoolAreRankedByWhatTheyGain) {
  record(sample::start(), {sample::family("hog"), sample::family("lbp"), sample::family("haar")},
         {sample::use(3), sample::use(1), sample::use(6)});
  keep(offer("hog", 2, .1));
  keep(offer("lbp", 2.1, .4));
  keep(offer("own", .2, .1));  // was in no run
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("lbp", "hog", "own", "haar"));
  EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 1, 3, 1)) << "who cannot be told apart shares a rank";
  EXPECT_THAT(integers(table, "rank_low"), ElementsAre(1, 1, 3, 1));
  EXPECT_THAT(integers(table, "rank_high"), ElementsAre(2, 2, 3, 1));
  EXPECT_DOUBLE_EQ(first_estimate(table, "gain").mean, .021);
  EXPECT_NEAR(*first_estimate(table, "gain").half_width, .008, 1e-12);
  EXPECT_EQ(std::get<std::string>(column(table, "finding")[0]), "adds");
  EXPECT_EQ(std::get<std::string>(column(table, "pool")[0]), "demo");
  EXPECT_EQ(std::get<std::string>(column(table, "side")[0]), "test");
  for (const char* key : {"gain", "finding", "pool", "shapley"})
    EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, key)[3])) << "haar was not offered";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "alpha_share")[2]));

  const auto json = nlohmann::json::parse(render_json(table));
  EXPECT_EQ(json["rows"][0]["gain"], .021);
  EXPECT_NEAR(double(json["rows"][0]["gain_ci95"]), .008, 1e-12);
  EXPECT_TRUE(json["rows"][3]["gain"].is_null());
}

// Two gains that differ by half a per cent in each seed and example, and have much in common.
TEST_F(LeaderboardTest, GainsOfAPoolAreToldApartByPairedSums) {
  const auto keep_with_sums = [&](const std::string& heuristic, double gain) {
    keep(offer(heuristic, gain, .4));
    GainSums sums{gain, {{}, {}}};
    for (int s = 0; s < 8; ++s) sums.z.of_seeds.push_back(10 * (gain + s % 3 + .01 * gain * (s % 2)));
    for (int n = 0; n < 10; ++n) sums.z.of_examples.push_back(8 * (gain + n % 4 + .01 * gain * (n % 2)));
    ASSERT_TRUE(keep_offer_sums(*records_, offer(heuristic, gain, .4), 8, sums).ok());
  };
  keep(offer("hog", 2, .4));
  keep(offer("lbp", 1.5, .4));
  EXPECT_THAT(integers(board(LeaderboardBy::kHeuristic), "rank_high"), ElementsAre(2, 2))
      << "by their errors";
  keep_with_sums("hog", 2);
  EXPECT_THAT(integers(board(LeaderboardBy::kHeuristic), "rank_high"), ElementsAre(2, 2))
      << "one has no sums";
  keep_with_sums("lbp", 1.5);
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("hog", "lbp"));
  EXPECT_THAT(integers(table, "rank_low"), ElementsAre(1, 2));
  EXPECT_THAT(integers(table, "rank_high"), ElementsAre(1, 2));
  EXPECT_NEAR(std::get<double>(column(table, "expected_rank")[0]), 1, .01);
  const auto together = leaderboard(*records_, LeaderboardBy::kHeuristic, RankForm::kTogether);
  ASSERT_TRUE(together.ok());
  EXPECT_EQ(together->columns[0].title, "rank (all at once)");
  EXPECT_THAT(integers(*together, "rank_low"), ElementsAre(1, 2));
}

// The two best have 16 seeds, the third one 8: any two are told apart by the most that both have.
TEST_F(LeaderboardTest, GainsAreToldApartByTheMostSeedsThatTwoHave) {
  const auto keep_sums_of_seeds = [&](const std::string& heuristic, double gain, std::size_t num_seeds,
                                      double noise) {
    GainSums sums{gain, {{}, {}}};
    for (std::size_t s = 0; s < num_seeds; ++s)
      sums.z.of_seeds.push_back(10 * (gain + noise * (s % 2 ? 1 : -1)));
    for (int n = 0; n < 10; ++n) sums.z.of_examples.push_back(double(num_seeds) * gain);
    ASSERT_TRUE(keep_offer_sums(*records_, offer(heuristic, gain, .4), num_seeds, sums).ok());
  };
  for (const auto& [heuristic, gain] : {std::pair("hog", 2.), std::pair("lbp", 1.5), std::pair("own", .1)}) {
    keep(offer(heuristic, gain, .4));
    keep_sums_of_seeds(heuristic, gain, 8, gain);
  }
  EXPECT_THAT(integers(board(LeaderboardBy::kHeuristic), "rank_high"), ElementsAre(3, 3, 3));
  keep_sums_of_seeds("hog", 2, 16, .01);
  keep_sums_of_seeds("lbp", 1.5, 16, .02);
  EXPECT_THAT(integers(board(LeaderboardBy::kHeuristic), "rank_high"), ElementsAre(2, 3, 3))
      << "the first two are apart";
}

TEST_F(LeaderboardTest, NearCopiesAreMarked) {
  OfferRow copy = offer("hog", 2, .4), other = offer("lbp", 1.5, .4);
  copy.nearest = "own";
  copy.nearest_cka = .995;
  other.nearest = "hog";
  other.nearest_cka = .98;
  keep(copy);
  keep(other);
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_EQ(std::get<std::string>(column(table, "copy_of")[0]), "own");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "copy_of")[1]));
  const auto shown = short_leaderboard(table, LeaderboardBy::kHeuristic, {});
  ASSERT_TRUE(shown.ok());
  EXPECT_THAT(render_text(*shown), HasSubstr("near copy of"));
}

// The best gain, if it is hardly known, does not stand above those that are surely better than others.
TEST_F(LeaderboardTest, RanksRiseDownTheBoard) {
  keep(offer("best", 6, .1));
  keep(offer("vague", 3, 5));
  keep(offer("good", 4, .1));
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("best", "vague", "good"));
  EXPECT_THAT(integers(table, "rank"), ElementsAre(1, 1, 2));
}

TEST_F(LeaderboardTest, AnotherSideOrPoolIsAContestOfItsOwn) {
  keep(offer("hog", 2, .1));
  OfferRow held_out = offer("lbp", 9, .1), other_data = offer("lbp", 9, .1);
  held_out.side = kHeldOutSide;
  other_data.dataset = other_data.dataset_fingerprint = "letters";
  keep(held_out);
  keep(other_data);
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "side"), ElementsAre("test", "test", "held out"));
  EXPECT_THAT(texts(table, "dataset"), ElementsAre("digits", "letters", "digits"));
  for (const char* key : {"rank", "rank_low", "rank_high", "expected_rank"})
    for (const Cell& cell : column(table, key))
      EXPECT_TRUE(std::holds_alternative<std::monostate>(cell)) << "each is alone";
}

// Heuristics of one's own that are tried beside one pool: each makes another set with it.
TEST_F(LeaderboardTest, OffersThatCannotBeRankedStandByTheirGains) {
  for (const auto& [name, gain] : {std::pair("mine/a", .5), {"mine/b", 4.}, {"mine/c", -.1}}) {
    OfferRow row = offer(name, gain, .1);
    row.pool = {"hog", "lbp"};
    keep(row);
  }
  OfferRow varied = offer("mine/b", 2, .1);
  varied.pool = {"hog", "lbp"};
  varied.newcomer = {"mine/b(rings=8)"};
  varied.settings = "rings=8";
  keep(varied);
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("mine/b", "mine/b", "mine/a", "mine/c"));
  EXPECT_EQ(show(column(table, "settings")[1], Format::kText), "rings=8");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "settings")[2])) << "there is one of it";
  const auto shown = short_leaderboard(table, LeaderboardBy::kHeuristic, {});
  ASSERT_TRUE(shown.ok());
  EXPECT_THAT(render_text(*shown), HasSubstr("rings=8"));
  EXPECT_THAT(leaderboard_legend(table, LeaderboardBy::kHeuristic),
              HasSubstr("Rank –: it was offered alone"));
}

// A build that both sides judged stands on the board once; another build of it is not judged by the test side
// yet.
TEST_F(LeaderboardTest, TheTestSideStandsInThePlaceOfTheHeldOutPart) {
  for (const char* heuristic : {"hog", "lbp"}) {
    OfferRow held_out = offer(heuristic, 5, .1);
    held_out.side = kHeldOutSide;
    keep(held_out);
  }
  EXPECT_THAT(texts(board(LeaderboardBy::kHeuristic), "side"), ElementsAre("held out", "held out"));
  keep(offer("hog", 1, .1));
  keep(offer("lbp", 2, .1));
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_THAT(texts(table, "heuristic"), ElementsAre("lbp", "hog"));
  EXPECT_THAT(texts(table, "side"), ElementsAre("test", "test"));
  OfferRow rebuilt = offer("hog", 6, .1);
  rebuilt.side = kHeldOutSide;
  rebuilt.plugin_sha256 = "another build";
  keep(rebuilt);
  EXPECT_THAT(texts(board(LeaderboardBy::kHeuristic), "heuristic"), ElementsAre("lbp", "hog", "hog"));
  EXPECT_THAT(texts(board(LeaderboardBy::kHeuristic), "side"), ElementsAre("test", "test", "held out"));
}

TEST_F(LeaderboardTest, CreditOfThePoolStandsBesideTheGainWhereItIsMeasured) {
  keep(offer("hog", 3, .1));
  keep(offer("lbp", 2, .1));
  keep(offer("own", 1, .1));
  const CreditedPool pool{
      "f", family_set_key(std::vector<std::string>{"best", "good", "hog", "lbp", "own", "vague"}), 100};
  const auto credit = [&](double hog) {
    return keep_credits(
        *records_, pool,
        std::vector<CreditRow>{{"hog", "1.0.0", hog, .05, {{}, {hog - .05, hog + .05}, {hog, hog}}},
                               {"lbp", "1.0.0", .01, .02}});
  };
  ASSERT_TRUE(credit(.5).ok());
  ASSERT_TRUE(credit(.4).ok()) << "in the place of the one before";
  const Table table = board(LeaderboardBy::kHeuristic);
  EXPECT_DOUBLE_EQ(first_estimate(table, "shapley").mean, .4);
  EXPECT_NEAR(*first_estimate(table, "shapley").half_width, 12.7062 * .05, 1e-4) << "t of two seeds";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "shapley")[1]))
      << "its error is too large";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(table, "shapley")[2])) << "it has none";
}

}  // namespace
}  // namespace mash
