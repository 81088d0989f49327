// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "framework/base/random.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/offer_details.hpp"
#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

class BoardRanksTest : public sample::QueueTest {
 protected:
  std::vector<EntryRank> ranks(double ladder_step = 0) {
    Board board;
    board.ladder_step = ladder_step;
    return *known_.ranks(records_, board, entries());
  }
  // A measurement of a runner that has time, with twice as many seeds.
  Status measure(std::int64_t id, double gain, std::size_t num_seeds, double error) {
    Judgement judgement;
    static_cast<MeasuredGain&>(judgement) = {gain,      error, gain - 2 * error, gain + 2 * error,
                                             num_seeds, "adds"};
    judgement.losses = testing::made_losses(judgement);
    return keep_measurement(records_, id, judgement);
  }
  void exec(const std::string& sql) { sample::database(records_).exec(sql); }

  BoardRanks known_;
};

TEST_F(BoardRanksTest, EntriesFarApartHaveOneRankEach) {
  published(ada_, "low", "1.0.0", 1);
  published(ada_, "high", "1.0.0", 9);
  published(ada_, "middle", "1.0.0", 5);
  const auto found = ranks();  // by gain
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(found[i].own);
    EXPECT_EQ(found[i].own->low, std::int64_t(i) + 1);
    EXPECT_EQ(found[i].own->high, std::int64_t(i) + 1);
    EXPECT_NEAR(found[i].expected, double(i) + 1, .01);
  }
  EXPECT_FALSE(least_certain(entries(), found, 256));
}

TEST_F(BoardRanksTest, NeighboursAreMeasuredWithMoreSeedsUntilTheyAreApart) {
  published(ada_, "far", "1.0.0", 9);
  const std::int64_t one = published(ada_, "one", "1.0.0", 2), other = published(ada_, "other", "1.0.0", 1.5);
  auto found = ranks();
  EXPECT_EQ(found[1].own->low, 2);
  EXPECT_EQ(found[1].own->high, 3);
  EXPECT_EQ(least_certain(entries(), found, 256), 1u) << "of equal sets the better one";
  EXPECT_FALSE(least_certain(entries(), found, 15)) << "8 seeds are half of 16";
  ASSERT_TRUE(measure(one, 2.1, 16, .05).ok());
  found = ranks();
  EXPECT_EQ(found[1].own->high, 3) << "the 8 seeds that both have tell no more";
  EXPECT_EQ(entries()[1].num_seeds, 16u);
  EXPECT_THAT(found[1].open_to, ::testing::ElementsAre(2u));
  EXPECT_EQ(least_certain(entries(), found, 256), 2u) << "the neighbour, which has fewer seeds";
  ASSERT_TRUE(measure(other, 1.4, 16, .05).ok());
  found = ranks();
  EXPECT_EQ(found[1].own->high, 2);
  EXPECT_EQ(found[2].own->low, 3);
}

TEST_F(BoardRanksTest, CopiesHaveNoRankOfTheirOwn) {
  const std::int64_t original = published(ada_, "strokes", "1.0.0", 3);
  published(eve_, "mine", "1.0.0", 3);
  published(eve_, "another", "1.0.0", 9);
  exec(
      "INSERT OR REPLACE INTO judgement_features SELECT id, CASE WHEN heuristic = 'another' THEN 'b' ELSE "
      "'a' END "
      "FROM submissions");
  const auto all = entries();
  const auto found = ranks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_copy = all[i].heuristic == "mine";
    EXPECT_EQ(found[i].copy_of.has_value(), is_copy) << all[i].heuristic;
    EXPECT_EQ(found[i].own.has_value(), !is_copy) << all[i].heuristic;
    if (is_copy) {
      EXPECT_EQ(*found[i].copy_of, original);
    } else {
      EXPECT_LE(found[i].own->high, 2) << "the copy takes no rank";
    }
  }
}

TEST_F(BoardRanksTest, CopiesHaveTheFiguresOfTheirOriginal) {
  const std::int64_t original = published(ada_, "strokes", "1.0.0", 3),
                     copy = published(eve_, "mine", "1.0.0", 2.5);
  published(eve_, "between", "1.0.0", 2.8);
  exec("INSERT INTO judgement_features SELECT id, 'a' FROM submissions WHERE heuristic <> 'between'");
  ASSERT_TRUE(measure(original, 3.25, 16, .1).ok());
  const auto all = entries();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].heuristic, "between") << "sorted by the gains that are told";
  const BoardEntry judged = **find_judged(records_, copy);
  for (const BoardEntry& entry : {all[0], all[1], judged}) {
    EXPECT_EQ(entry.gain, all[1].gain) << entry.heuristic;
    EXPECT_EQ(entry.low, all[1].low);
    EXPECT_EQ(entry.num_seeds, 16u) << "those of the original";
  }
  EXPECT_EQ(judged.copy_of, original);
  EXPECT_EQ(finding_in_words(judged), "has the features of strokes 1.0.0, to the bit");
  EXPECT_EQ(finding_in_words(all[1]), "adds");
}

// The original stays the original in its next versions, also where they are younger than the copy.
TEST_F(BoardRanksTest, FeaturesAreOfTheHeuristicThatHadThemFirst) {
  const auto copy_of = [&](const std::string& heuristic) {
    const auto all = entries();
    const auto place = std::ranges::find(all, heuristic, &BoardEntry::heuristic);
    return ranks().at(std::size_t(place - all.begin())).copy_of;
  };
  const std::int64_t original = published(ada_, "strokes", "1.0.0", 3);
  published(eve_, "mine", "1.0.0", 3);
  const std::int64_t newer = published(ada_, "strokes", "1.1.0", 3);
  exec("INSERT OR REPLACE INTO judgement_features SELECT id, 'a' FROM submissions");
  EXPECT_EQ(copy_of("strokes"), std::nullopt);
  EXPECT_EQ(copy_of("mine"), newer) << "the entry that has them";
  exec("UPDATE judgement_features SET digest = 'b' WHERE submission_id = " + std::to_string(newer));
  EXPECT_EQ(copy_of("mine"), original) << "of a superseded version too";
  ASSERT_TRUE(remove_submission(records_, original, "not theirs").ok());
  EXPECT_EQ(copy_of("mine"), std::nullopt);
}

// By hand: on the next version of the board the copy is run again first.
TEST_F(BoardRanksTest, AnOriginalThatIsRunAgainIsAsOldAsItsFirstRun) {
  const std::int64_t original = published(ada_, "strokes", "1.0.0", 3);
  const std::int64_t copy = published(eve_, "mine", "1.0.0", 3);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  for (const auto& [id, heuristic] : {std::pair(copy, "mine"), std::pair(original, "strokes")}) {
    ASSERT_TRUE(rerun_submission(records_, id).ok());
    ASSERT_TRUE(publish(take(), heuristic, "1.0.0", 3).ok());
  }
  exec("INSERT OR REPLACE INTO judgement_features SELECT id, CAST(board_id AS TEXT) FROM submissions");
  const auto all = entries();
  const auto found = ranks();
  ASSERT_EQ(all.size(), 2u);
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(found[i].copy_of.has_value(), all[i].heuristic == "mine") << all[i].heuristic;
}

TEST_F(BoardRanksTest, WhatAFormerProcedureMeasuredIsMeasuredAgainFirst) {
  const std::int64_t old = published(ada_, "old", "1.0.0", 9);
  published(ada_, "one", "1.0.0", 2);
  published(ada_, "other", "1.0.0", 1.9);
  exec("UPDATE judgement_losses SET procedure = 1 WHERE submission_id = " + std::to_string(old));
  const auto found = ranks();
  EXPECT_TRUE(found[0].is_measured_before);
  EXPECT_FALSE(found[0].own) << "its gain is not set beside the others'";
  EXPECT_EQ(found[1].own->low, 1);
  EXPECT_EQ(least_certain(entries(), found, 256), 0u);
  ASSERT_TRUE(measure(old, 8, 8, .1).ok());
  EXPECT_EQ(ranks()[0].own->high, 1);
}

TEST_F(BoardRanksTest, WhereGainsAreWithheldRanksFollowFromTheReleasedOnes) {
  published(ada_, "one", "1.0.0", 5);
  published(ada_, "other", "1.0.0", 1);
  exec("DELETE FROM judgement_losses");
  exec("UPDATE judgements SET released_gain = 2, released_standard_error = .1");
  const auto found = ranks(.5);
  for (const EntryRank& rank : found) {
    EXPECT_EQ(rank.own->low, 1);
    EXPECT_EQ(rank.own->high, 2);
    EXPECT_NEAR(rank.expected, 1.5, 1e-9);
    EXPECT_FALSE(rank.is_measured_before);
  }
}

// Losses that are 1 and noise in each seed and picture, or this many per cent less.
LossCells noisy_cells(std::uint64_t seed, double less, std::size_t num_seeds, std::size_t num_pictures) {
  RandomStream stream(seed, "test.cells");
  LossCells cells{num_seeds, std::vector<float>(num_seeds * num_pictures)};
  double mean = 0;
  for (float& value : cells.values) {
    value = float(1 + .1 * stream.normal());
    mean += double(value) / double(cells.values.size());
  }
  for (float& value : cells.values) value = float(double(value) / mean * std::exp(-less / 100));
  return cells;
}

LossSums sums_of_cells(const LossCells& cells) {
  const std::size_t num_pictures = cells.values.size() / cells.num_seeds;
  LossSums sums{std::vector<double>(cells.num_seeds), std::vector<double>(num_pictures)};
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    sums.of_seeds[i / num_pictures] += cells.values[i];
    sums.of_examples[i % num_pictures] += cells.values[i];
  }
  return sums;
}

double normal_below(double t) { return std::erfc(-t / std::sqrt(2)) / 2; }

TEST_F(BoardRanksTest, PairsNearTheirLimitAreToldApartByAllOfTheirLosses) {
  constexpr std::size_t kSeeds = 16, kPictures = 20;
  const std::int64_t better = published(ada_, "better", "1.0.0", 2),
                     worse = published(ada_, "worse", "1.0.0", 1);
  LossTable table;
  table.put(0, sums_of_cells(noisy_cells(1, 0, kSeeds, kPictures)));
  table.put(1, sums_of_cells(noisy_cells(2, 0, kSeeds, kPictures)));
  // 2.2 errors apart, by the sums.
  const LossCells cells[] = {noisy_cells(1, 2.2 * table.difference(0, 1).error, kSeeds, kPictures),
                             noisy_cells(2, 0, kSeeds, kPictures)};
  const auto measure_cells = [&](std::int64_t id, double gain, const LossCells& of_entry) {
    Judgement judgement;
    static_cast<MeasuredGain&>(judgement) = {gain, 1, gain - 2, gain + 2, kSeeds, "adds"};
    judgement.losses = sums_of_cells(of_entry);
    ASSERT_TRUE(keep_measurement(records_, id, judgement).ok());
  };
  measure_cells(better, 2, cells[0]);
  measure_cells(worse, 1, cells[1]);
  auto found = ranks();
  EXPECT_NEAR(found[0].expected, 1 + normal_below(-2.2), 1e-4) << "their losses are not kept";
  const char* const names[] = {"better", "worse"};
  for (const std::size_t i : {0u, 1u}) {
    OfferRow row;
    row.heuristic = names[i];
    row.version = "1.0.0";
    row.side = kTestSide;
    ASSERT_TRUE(keep_offer(records_, row).ok());
    OfferDetails details{{"a"}, std::vector<std::uint16_t>(kPictures), {}};
    for (std::size_t s = 0; s < kSeeds; ++s) {
      const auto begin = cells[i].values.begin() + std::ptrdiff_t(s * kPictures);
      details.seeds.push_back({s + 1, 0, {begin, begin + std::ptrdiff_t(kPictures)}});
    }
    ASSERT_TRUE(keep_offer_details(records_, row, details).ok());
  }
  EXPECT_NEAR(ranks()[0].expected, 1 + normal_below(-2.2), 1e-4) << "known as not kept";
  known_ = BoardRanks();
  found = ranks();
  const PairDifference exact = exact_difference(cells[0], cells[1]);
  EXPECT_GT(exact.mean / exact.error, 2.2);
  EXPECT_NEAR(found[0].expected, 1 + normal_below(-exact.mean / exact.error), 1e-5);
  exec("UPDATE offer_tests SET procedure = 1");
  known_ = BoardRanks();
  EXPECT_NEAR(ranks()[0].expected, 1 + normal_below(-2.2), 1e-4) << "of a former procedure";
}

TEST_F(BoardRanksTest, WherePicturesAreTheLimitMoreSeedsAreNotMeasured) {
  constexpr std::size_t kSeeds = 64, kPictures = 50;
  for (const double gain : {1.0, 1.1}) {
    const std::int64_t id = published(ada_, gain > 1 ? "more" : "less", "1.0.0", gain);
    Judgement judgement;
    static_cast<MeasuredGain&>(judgement) = {gain, .1, gain - 1, gain + 1, kSeeds, "adds"};
    RandomStream stream(std::uint64_t(10 * gain), "test.limit");
    const double loss = std::exp(-gain / 100);
    for (std::size_t s = 0; s < kSeeds; ++s)
      judgement.losses.of_seeds.push_back(kPictures * loss * (1 + 1e-5 * stream.normal()));
    for (std::size_t n = 0; n < kPictures; ++n)
      judgement.losses.of_examples.push_back(kSeeds * loss * (1 + .1 * stream.normal()));
    ASSERT_TRUE(keep_measurement(records_, id, judgement).ok());
  }
  auto found = ranks();
  for (const EntryRank& rank : found) {
    EXPECT_EQ(rank.own->high, 2);
    EXPECT_TRUE(rank.is_limited_by_pictures);
    EXPECT_GT(rank.wanted_pictures, kPictures);
  }
  EXPECT_FALSE(least_certain(entries(), found, 256));
  for (const EntryRank& rank : found) EXPECT_TRUE(rank.open_to.empty());
  found[0].open_to = {1};
  EXPECT_TRUE(least_certain(entries(), found, 256));
}

TEST_F(BoardRanksTest, EntriesTellTheirSettings) {
  ASSERT_TRUE(add_submission(
                  records_,
                  {ada_, board_, "", "a.cpp", "int levels;", "MIT", false, {{"levels", "8"}, {"grid", "3"}}})
                  .ok());
  ASSERT_TRUE(publish(take(), "strokes", "1.0.0", 3).ok());
  published(ada_, "plain", "1.0.0", 1);
  EXPECT_EQ(entries()[0].settings, "levels=8, grid=3");
  EXPECT_EQ(entries()[1].settings, "");
  EXPECT_EQ((*find_judged(records_, entries()[0].submission_id))->settings, "levels=8, grid=3");
}

TEST_F(BoardRanksTest, WhatWasRemovedMeanwhileIsNotMeasured) {
  const std::int64_t id = published(ada_, "one", "1.0.0", 5);
  exec("UPDATE submissions SET removed_why = 'no' WHERE id = " + std::to_string(id));
  ASSERT_TRUE(measure(id, 4, 16, .1).ok());
  EXPECT_EQ(find_judgement(records_, id)->value().num_seeds, 8u);
  EXPECT_EQ(*read_measured_seeds(records_, id), std::vector<std::size_t>{8});
}

}  // namespace
}  // namespace mash
