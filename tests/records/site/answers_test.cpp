// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/answers.hpp"

#include <cmath>

#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

constexpr PrivatePart kPart{1186, 10};  // that of the demo's digits, about

TEST(BitsOfAnswers, WorkedByHand) {
  // 100 ln(ln 10 * 1188^2 / 1187)
  EXPECT_NEAR(largest_gain(kPart), 791.4901, 1e-4);
  EXPECT_NEAR(bits_of_labels(kPart), 3939.8067, 1e-4);
  EXPECT_NEAR(bits_of_outcome(), 1.584963, 1e-6);
  // 1,582 steps of .5 on either side: 1 + 2 * 3,165 gains * 1,582 half-widths = 10,014,061 values.
  EXPECT_NEAR(bits_of({.5, true, {}}, kPart), std::log2(10014061.), 1e-9);
  // 14.5 is 29 steps: 1,553 gains are better. 1 + 1 + 2 * 1,553 * 1,582 = 4,913,694.
  EXPECT_NEAR(bits_of({.5, true, 14.5}, kPart), std::log2(4913694.), 1e-9);
  // 39 steps of 20: where the best before stands on the last one, it or "nothing to learn" is told: one bit.
  EXPECT_NEAR(bits_of({20, true, {}}, kPart), std::log2(6163.), 1e-9);
  EXPECT_EQ(bits_of({20, true, 780}, kPart), 1);
  // Units of .01: 1 + 10 findings * 158,299 gains * 90 errors * 1,012^2 ends.
  EXPECT_NEAR(bits_of({.01, false, {}}, kPart), 47.052061, 1e-6);
}

TEST(BitsOfAnswers, LargerStepsAndBetterOnesBeforeTellLess) {
  double before = 1e9;
  for (const double step : {.1, .5, 2., 10.}) {
    const double bits = bits_of({step, true, {}}, kPart);
    EXPECT_LT(bits, before);
    EXPECT_LT(bits_of({step, true, 50.}, kPart), bits);
    EXPECT_GT(bits_of({step, false, {}}, kPart), bits);
    before = bits;
  }
}

TEST(BitsOfAnswers, RanksAreToldWhereThereIsNoLadder) {
  // 13 entries: log2(121 expected ranks * 91 sets) each.
  EXPECT_NEAR(bits_of_ranks(1, 13), 13 * std::log2(121. * 91), 1e-9);
  EXPECT_NEAR(bits_of_ranks(5, 13), 5 * bits_of_ranks(1, 13), 1e-9);
  EXPECT_EQ(bits_of_ranks(5, 1), 0) << "one entry is the first";
  const ToldCounts counts{4, 5, 13, {{.5, true, {}}, {.5, true, 14.5}}};
  const ToldBits with = told_bits(counts, true, kPart), without = told_bits(counts, false, kPart);
  EXPECT_EQ(with.ranks, 0);
  EXPECT_NEAR(with.outcomes, 4 * 1.584963, 1e-5);
  EXPECT_NEAR(with.gains, 23.255524 + 22.228377, 1e-5);
  EXPECT_NEAR(without.total() - with.total(), bits_of_ranks(5, 13), 1e-9);
}

TEST(BitsOfAnswers, WhoStoodBesideAnEntryIsToldByTheirNumber) {
  EXPECT_EQ(bits_of_pool(1), 1);
  EXPECT_EQ(bits_of_pool(7), 3);
  ToldCounts counts{4, 5, 13, {}};
  const double before = told_bits(counts, true, kPart).outcomes;
  counts.pools = {1, 7};
  EXPECT_NEAR(told_bits(counts, true, kPart).outcomes - before, 4, 1e-12);
}

class ToldAnswers : public sample::QueueTest {
 protected:
  Board board() { return **find_board(records_, board_); }
  ToldCounts told() { return *read_told(records_, board()); }
};

TEST_F(ToldAnswers, EveryMeasurementIsOne) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, .5});
  const std::int64_t first = published(ada_, "rows", "1.0.0", 2);
  published(ada_, "rows", "1.1.0", 9);
  published(ada_, "rows", "1.2.0", 4);
  published(eve_, "columns", "1.0.0", 1);
  const std::vector<ReleasedAnswer> answers = told().answers;
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_FALSE(answers[0].best);
  EXPECT_EQ(answers[1].best, 2);
  EXPECT_EQ(answers[2].best, 9);
  EXPECT_FALSE(answers[3].best) << "each heuristic has a Ladder of its own";
  for (const ReleasedAnswer& answer : answers) {
    EXPECT_EQ(answer.step, .5);
    EXPECT_TRUE(answer.is_stepped);
  }
  EXPECT_EQ(told().num_entries, 2u);
  EXPECT_EQ(told().num_measurements, 4u);
  ASSERT_TRUE(keep_measurement(records_, first, judgement(3)).ok());
  EXPECT_EQ(told().answers.size(), 4u) << "what is superseded is not measured again";
}

TEST_F(ToldAnswers, WithoutALadderTheUnitFollowsFromTheError) {
  const std::int64_t id = published(ada_, "rows", "1.0.0", 2);  // with an error of .25
  ASSERT_EQ(told().answers.size(), 1u);
  EXPECT_FALSE(told().answers[0].is_stepped);
  EXPECT_DOUBLE_EQ(told().answers[0].step, .01);
  ASSERT_TRUE(keep_measurement(records_, id, judgement(3)).ok());
  EXPECT_EQ(told().answers.size(), 2u);
}

TEST_F(ToldAnswers, ARerunThatGivesTheSameTellsNothing) {
  const std::int64_t id = published(ada_, "rows", "1.0.0", 2);
  ASSERT_TRUE(rerun_submission(records_, id).ok());
  ASSERT_TRUE(publish(take(), "rows", "1.0.0", 2).ok());
  EXPECT_EQ(told().answers.size(), 1u);
}

TEST_F(ToldAnswers, WhoSawPrivatePicturesIsCounted) {
  hand_in(ada_);
  EXPECT_EQ(told().num_shown, 0u);
  const Lease lease = take();
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kCompiling, "compiling").ok());
  EXPECT_EQ(told().num_shown, 0u);
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kExtracting, "computing").ok());
  ASSERT_TRUE(end_submission(records_, lease, SubmissionState::kRejected, "x", Blame::kContributor, 1).ok());
  EXPECT_EQ(told().num_shown, 1u) << "no matter how it ended";
}

}  // namespace
}  // namespace mash
