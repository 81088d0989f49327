// SPDX-License-Identifier: Apache-2.0
#include "framework/records/boards.hpp"
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

TEST_F(BoardRanksTest, WhatWasRemovedMeanwhileIsNotMeasured) {
  const std::int64_t id = published(ada_, "one", "1.0.0", 5);
  exec("UPDATE submissions SET removed_why = 'no' WHERE id = " + std::to_string(id));
  ASSERT_TRUE(measure(id, 4, 16, .1).ok());
  EXPECT_EQ(find_judgement(records_, id)->value().num_seeds, 8u);
  EXPECT_EQ(*read_measured_seeds(records_, id), std::vector<std::size_t>{8});
}

}  // namespace
}  // namespace mash
