// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/together.hpp"

#include "framework/records/site/answers.hpp"
#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Together : public sample::QueueTest {
 protected:
  std::vector<TogetherMembers> unmeasured() { return *read_unmeasured_together(records_, board_); }
  Board board() { return **find_board(records_, board_); }
  void give_features(std::int64_t id, const std::string& digest) {
    sample::database(records_).exec(
        fmt::format("INSERT OR REPLACE INTO judgement_features VALUES ({}, '{}')", id, digest));
  }
};

TEST_F(Together, TwoHeuristicsWithFeaturesOfTheirOwnAreAGroup) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  published(eve_, "alone", "1.0.0", 2);
  EXPECT_THAT(unmeasured(), IsEmpty());
  const std::int64_t two = published(ada_, "two", "1.0.0", 3);
  EXPECT_THAT(unmeasured(), ElementsAre(TogetherMembers{ada_, "ada", {one, two}}));
  // A copy of another's adds nothing that is theirs.
  const std::int64_t copy = published(eve_, "copy", "1.0.0", 3);
  give_features(two, "same");
  give_features(copy, "same");
  EXPECT_THAT(unmeasured(), ElementsAre(TogetherMembers{ada_, "ada", {one, two}}));
  const std::int64_t newer = published(ada_, "two", "1.1.0", 3);
  give_features(newer, "same");
  EXPECT_THAT(unmeasured(), ElementsAre(TogetherMembers{ada_, "ada", {one, newer}})) << "hers still";
}

// Two runners that have nothing else to do measure the same.
TEST_F(Together, IsToldOnceWhereTwoMeasuredIt) {
  published(ada_, "one", "1.0.0", 1);
  published(ada_, "two", "1.0.0", 3);
  const TogetherMembers members = unmeasured().at(0);
  ASSERT_TRUE(keep_together(records_, board(), members, judgement(4)).ok());
  const std::size_t num_answers = read_told(records_, board())->answers.size();
  const std::int64_t revision = board().revision;
  ASSERT_TRUE(keep_together(records_, board(), members, judgement(4)).ok());
  EXPECT_EQ(read_told(records_, board())->answers.size(), num_answers);
  EXPECT_EQ(board().revision, revision);
}

TEST_F(Together, IsMeasuredOnceForTheSameVersions) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  published(ada_, "two", "1.0.0", 3);
  const TogetherMembers members = unmeasured().at(0);
  const std::int64_t revision = board().revision;
  ASSERT_TRUE(keep_together(records_, board(), members, judgement(4)).ok());
  EXPECT_GT(board().revision, revision);
  EXPECT_THAT(unmeasured(), IsEmpty());
  std::vector<TogetherGain> gains = *read_together(records_, board_);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_EQ(gains[0].contributor, "ada");
  EXPECT_EQ(gains[0].gain, 4);
  EXPECT_EQ(gains[0].num_heuristics, 2u);
  EXPECT_TRUE(gains[0].is_current);
  // A new version of one of them is another group; what was measured stays until that is.
  const std::int64_t newer = published(ada_, "two", "1.1.0", 5);
  ASSERT_EQ(unmeasured().size(), 1u);
  EXPECT_EQ(unmeasured()[0].submission_ids.back(), newer);
  gains = *read_together(records_, board_);
  EXPECT_FALSE(gains[0].is_current);
  ASSERT_TRUE(keep_together(records_, board(), unmeasured()[0], judgement(6)).ok());
  gains = *read_together(records_, board_);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_EQ(gains[0].gain, 6);
  EXPECT_TRUE(gains[0].is_current);
  // A contributor with one heuristic left has nothing together.
  ASSERT_TRUE(remove_submission(records_, one, "not theirs").ok());
  EXPECT_THAT(*read_together(records_, board_), IsEmpty());
}

TEST_F(Together, OfAFormerProcedureIsNotTold) {
  published(ada_, "one", "1.0.0", 1);
  published(ada_, "two", "1.0.0", 3);
  ASSERT_TRUE(keep_together(records_, board(), unmeasured().at(0), judgement(4)).ok());
  sample::database(records_).exec("UPDATE together_gains SET procedure = procedure - 1");
  EXPECT_THAT(*read_together(records_, board_), IsEmpty());
  EXPECT_EQ(unmeasured().size(), 1u) << "it is measured again";
}

// The gain that is told of them together is on a Ladder of its own, and is counted.
TEST_F(Together, OnALadderIsToldInSteps) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, 2});
  published(ada_, "one", "1.0.0", 1);
  published(ada_, "two", "1.0.0", 3);
  ASSERT_TRUE(keep_together(records_, board(), unmeasured().at(0), judgement(4.7)).ok());
  EXPECT_EQ(read_together(records_, board_)->at(0).gain, 4);
  published(ada_, "two", "1.1.0", 3);
  ASSERT_TRUE(keep_together(records_, board(), unmeasured().at(0), judgement(5.9)).ok());
  EXPECT_EQ(read_together(records_, board_)->at(0).gain, 4) << "no step better";
  const std::vector<ReleasedAnswer> answers = read_told(records_, board())->answers;
  ASSERT_EQ(answers.size(), 5u) << "three versions and two together";
  EXPECT_EQ(answers[4].best, 4);
  EXPECT_EQ(answers[4].step, 2);
  EXPECT_TRUE(answers[4].is_stepped);
}

}  // namespace
}  // namespace mash
