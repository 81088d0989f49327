// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/copies.hpp"

#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Copies : public sample::QueueTest {
 protected:
  static Judgement with_digest(const std::string& digest) {
    Judgement made = judgement(1);
    made.features_digest = digest;
    made.sample = {2, {1, 2, 3, 4}};
    return made;
  }
  std::int64_t publish_with(std::int64_t user, const std::string& heuristic, const std::string& digest,
                            const std::string& version = "1.0.0") {
    const std::int64_t id = hand_in(user);
    const Lease lease = take();
    EXPECT_TRUE(name_submission(records_, lease, heuristic, version, "").ok());
    EXPECT_TRUE(publish_submission(records_, lease, with_digest(digest), 1).ok());
    return id;
  }
  static KeptLikeness likeness(std::int64_t id, std::int64_t other_id) {
    return {.submission_id = id,
            .other_id = other_id,
            .cka = .995,
            .num_tokens = 100,
            .num_other_tokens = 80,
            .num_equal = 60,
            .num_prints = 20,
            .num_other_prints = 18,
            .num_shared = 9,
            .parts = {{3, 7, 1, 5}, {9, 9, 8, 8}}};
  }
};

TEST_F(Copies, ABoardMarksThemUntilItIsToldToRefuseThem) {
  EXPECT_EQ(*read_copies_rule(records_, "digits"), CopiesRule::kMark);
  const std::int64_t revision = read_boards(records_)->at(0).revision;
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  EXPECT_EQ(*read_copies_rule(records_, "digits"), CopiesRule::kRefuse);
  EXPECT_EQ(*read_copies_rule(records_, "letters"), CopiesRule::kMark);
  EXPECT_GT(read_boards(records_)->at(0).revision, revision) << "its page says so";
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  EXPECT_EQ(read_boards(records_)->at(0).revision, revision + 1) << "nothing has changed";
}

TEST_F(Copies, ARuleHasTwoWords) {
  EXPECT_EQ(*parse_copies_rule("refuse"), CopiesRule::kRefuse);
  EXPECT_EQ(word_of(*parse_copies_rule("mark")), "mark");
  EXPECT_THAT(parse_copies_rule("delete").error().message,
              HasSubstr("unknown copies 'delete'; known: mark, refuse"));
}

TEST_F(Copies, WhereTheyAreRefusedFeaturesOfAnotherHeuristicAreRejected) {
  publish_with(ada_, "rows", "same");
  const std::int64_t marked = publish_with(eve_, "marked", "same");
  EXPECT_EQ(state_of(marked), SubmissionState::kPublished);
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());

  hand_in(eve_);
  const Lease lease = take();
  ASSERT_TRUE(name_submission(records_, lease, "copied", "1.0.0", "").ok());
  EXPECT_TRUE(check_features(records_, lease, "another").ok());
  const Status refused = check_features(records_, lease, "same");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  EXPECT_EQ(refused.error().message,
            "has the features of rows 1.0.0, to the bit, and this board takes no copies");
  // Another runner may have published the original meanwhile.
  ASSERT_TRUE(publish_submission(records_, lease, with_digest("same"), 1).ok());
  EXPECT_EQ(state_of(lease.submission_id), SubmissionState::kRejected);
  EXPECT_THAT(submission(lease.submission_id).reason, HasSubstr("rows 1.0.0"));
}

TEST_F(Copies, AVersionMayHaveTheFeaturesOfTheOneBeforeAndARerunThoseOfTheFirst) {
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  const std::int64_t first = publish_with(ada_, "rows", "same");
  EXPECT_EQ(state_of(publish_with(ada_, "rows", "same", "1.1.0")), SubmissionState::kPublished);
  EXPECT_EQ(state_of(first), SubmissionState::kSuperseded);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 16});
  ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
  const Lease lease = take();
  ASSERT_TRUE(name_submission(records_, lease, "rows", "1.1.0", "").ok());
  EXPECT_TRUE(check_features(records_, lease, "same").ok());
}

// A copy from the time when copies were marked: the original's next version is no copy of its copy.
TEST_F(Copies, TheNextVersionOfAnOriginalIsTakenBesideItsCopy) {
  publish_with(ada_, "rows", "same");
  publish_with(eve_, "copied", "same");
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  const std::int64_t next = publish_with(ada_, "rows", "same", "1.1.0");
  EXPECT_EQ(state_of(next), SubmissionState::kPublished) << submission(next).reason;
  const std::int64_t of_copy = publish_with(eve_, "copied", "same", "1.1.0");
  EXPECT_EQ(state_of(of_copy), SubmissionState::kRejected);
  EXPECT_THAT(submission(of_copy).reason, HasSubstr("has the features of rows 1.0.0"));
}

TEST_F(Copies, WhatWasRemovedIsNobodysOriginal) {
  ASSERT_TRUE(set_copies_rule(records_, "digits", CopiesRule::kRefuse).ok());
  ASSERT_TRUE(remove_submission(records_, publish_with(ada_, "rows", "same"), "not theirs").ok());
  EXPECT_EQ(state_of(publish_with(eve_, "copied", "same")), SubmissionState::kPublished);
}

TEST_F(Copies, EachIsComparedWithThoseBeforeIt) {
  EXPECT_FALSE(next_to_compare(records_)->has_value());
  const std::int64_t one = publish_with(ada_, "one", "a"), two = publish_with(ada_, "two", "b");
  const std::int64_t newer = publish_with(ada_, "one", "c", "1.1.0");
  const std::int64_t other = publish_with(eve_, "other", "d");
  EXPECT_EQ(*next_to_compare(records_), one);
  EXPECT_THAT(*read_to_compare_with(records_, one), IsEmpty());
  EXPECT_THAT(*read_to_compare_with(records_, newer), ElementsAre(two)) << "not with its own versions";
  EXPECT_THAT(*read_to_compare_with(records_, other), ElementsAre(one, two, newer));
  EXPECT_EQ(*num_to_compare(records_, "digits"), 4u);
  ASSERT_TRUE(keep_likenesses(records_, one, {}, {}).ok());
  EXPECT_EQ(*next_to_compare(records_), two);
  EXPECT_EQ(*num_to_compare(records_, "digits"), 3u);
  const FeatureSample sample = *read_feature_sample(records_, two);
  EXPECT_EQ(sample.num_examples, 2u);
  EXPECT_THAT(sample.codes, ElementsAre(1, 2, 3, 4));
}

TEST_F(Copies, EvidenceIsKeptAndFoundInEitherOrder) {
  const std::int64_t one = publish_with(ada_, "one", "a"), two = publish_with(eve_, "two", "b"),
                     copy = publish_with(eve_, "copy", "a");
  const KeptLikeness kept = likeness(two, one);
  ASSERT_TRUE(keep_likenesses(records_, two, {&one, 1}, {&kept, 1}).ok());
  for (const auto& [first, second] : {std::pair(one, two), std::pair(two, one)}) {
    const auto found = *find_likeness(records_, first, second);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->submission_id, two);
    EXPECT_FALSE(found->is_same);
    EXPECT_EQ(found->cka, .995);
    EXPECT_EQ(found->num_equal, 60u);
    EXPECT_EQ(found->num_other_prints, 18u);
    EXPECT_EQ(found->parts, kept.parts);
    EXPECT_DOUBLE_EQ(found->share_equal(), .75);
  }
  EXPECT_FALSE(find_likeness(records_, two, copy)->has_value());
  // Equal features are evidence before anything is compared.
  const std::vector<KeptLikeness> all = *read_likenesses(records_, "digits");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].submission_id, copy);
  EXPECT_TRUE(all[0].is_same);
  EXPECT_FALSE(all[0].cka);
  EXPECT_FALSE(all[0].is_compared);
  EXPECT_TRUE(all[1].is_compared);
  ASSERT_TRUE(keep_likenesses(records_, two, {&one, 1}, {}).ok());
  EXPECT_EQ(read_likenesses(records_, "digits")->size(), 1u) << "what was kept before is replaced";
  ASSERT_TRUE(remove_submission(records_, one, "not theirs").ok());
  EXPECT_THAT(*read_likenesses(records_, "digits"), IsEmpty());
}

// It alone, with earlier and later ones: the later ones need no turn of their own again.
TEST_F(Copies, AFirstSampleHasItComparedAgainWithAllOthers) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(eve_, "two", "1.0.0", 2),
                     three = published(ada_, "three", "1.0.0", 3), four = published(ada_, "four", "1.0.0", 4);
  for (const std::int64_t id : {one, two, three}) ASSERT_TRUE(keep_likenesses(records_, id, {}, {}).ok());
  const KeptLikeness before = likeness(three, two);
  ASSERT_TRUE(keep_likenesses(records_, three, {&two, 1}, {&before, 1}).ok());
  ASSERT_TRUE(keep_measurement(records_, two, with_digest("d")).ok());
  EXPECT_EQ(*next_to_compare(records_), two);
  const std::vector<std::int64_t> others = *read_to_compare_with(records_, two);
  EXPECT_THAT(others, ElementsAre(one, three)) << "four has its own turn";
  KeptLikeness after = likeness(three, two);
  after.cka = .96;
  ASSERT_TRUE(keep_likenesses(records_, two, others, {&after, 1}).ok());
  EXPECT_EQ((*find_likeness(records_, two, three))->cka, .96) << "in the place of the former";
  EXPECT_EQ(*next_to_compare(records_), four);
  ASSERT_TRUE(keep_likenesses(records_, four, {}, {}).ok());
  ASSERT_TRUE(keep_measurement(records_, two, with_digest("d")).ok());
  EXPECT_FALSE(next_to_compare(records_)->has_value()) << "the sample is the same";
}

// One that was slow to be judged: what was handed in later and compared before it is not left out.
TEST_F(Copies, OneThatWasJudgedLateIsComparedWithLaterOnes) {
  const std::int64_t slow = hand_in(ada_);
  const Lease lease = take();
  const std::int64_t quick = published(eve_, "quick", "1.0.0", 2);
  ASSERT_TRUE(keep_likenesses(records_, quick, {}, {}).ok());
  ASSERT_TRUE(publish(lease, "slow", "1.0.0", 1).ok());
  EXPECT_EQ(*next_to_compare(records_), slow);
  EXPECT_THAT(*read_to_compare_with(records_, slow), ElementsAre(quick));
}

// Sources alone can be compared with those of another version of the board, and those of reruns have been.
TEST_F(Copies, WhatRunsAgainIsComparedOnItsOwnVersionOfTheBoard) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(eve_, "two", "1.0.0", 2);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  const std::int64_t other = published(ada_, "other", "1.0.0", 3);
  EXPECT_THAT(*read_to_compare_with(records_, other), ElementsAre(one, two));
  std::vector<std::int64_t> again;
  for (const auto& [id, heuristic] : {std::pair(one, "one"), std::pair(two, "two")}) {
    again.push_back(*rerun_submission(records_, id));
    ASSERT_TRUE(publish(take(), heuristic, "1.0.0", 1).ok());
  }
  EXPECT_THAT(*read_to_compare_with(records_, again[0]), ElementsAre(other));
  EXPECT_THAT(*read_to_compare_with(records_, again[1]), ElementsAre(other, again[0]));
  const std::int64_t last = published(eve_, "last", "1.0.0", 3);
  EXPECT_THAT(*read_to_compare_with(records_, last), ElementsAre(other, again[0], again[1]));
}

}  // namespace
}  // namespace mash
