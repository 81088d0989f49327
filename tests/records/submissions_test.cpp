// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submissions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/records/accounts.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kLeaseSeconds = 60;

class Submissions : public ::testing::Test {
 protected:
  std::int64_t hand_in(std::int64_t user, const std::string& key = "") {
    return *add_submission(records_, {user, board_, key, "a.cpp", "int a;", "MIT"});
  }
  Lease take() { return **take_submission(records_, kLeaseSeconds); }
  bool is_waiting() { return take_submission(records_, kLeaseSeconds)->has_value(); }
  SubmissionState state_of(std::int64_t id) { return (*find_submission(records_, id))->state; }
  Status publish(const Lease& lease, const std::string& heuristic, const std::string& version, double gain) {
    MASH_TRY(name_submission(records_, lease, heuristic, version, "counts holes"));
    return publish_submission(records_, lease, {.gain = gain, .finding = "adds", .report_html = "<p>"}, 2);
  }
  // As if the runner that has the lease had ended.
  void kill_runner() {
    sample::database(records_).exec("UPDATE submissions SET lease_start = lease_start - 1");
  }
  std::vector<std::string> words_of(std::int64_t id) {
    std::vector<std::string> words;
    const std::vector<SubmissionEvent> events = *read_events(records_, 0, id, 100);
    for (const SubmissionEvent& event : events) words.emplace_back(word_of(event.state));
    return words;
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = *add_user(records_, {0, "ada", "contributor", ""});
  std::int64_t eve_ = *add_user(records_, {0, "eve", "contributor", ""});
  std::int64_t board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8});
};

TEST_F(Submissions, TheSameRequestIsTheSameSubmission) {
  const std::int64_t first = hand_in(ada_, "k");
  EXPECT_EQ(hand_in(ada_, "k"), first);
  EXPECT_NE(hand_in(eve_, "k"), first);
  EXPECT_NE(hand_in(ada_), hand_in(ada_));
  EXPECT_EQ(read_events(records_, 0, first, 10)->size(), 1u);
}

TEST_F(Submissions, OneIsTakenOnceAndGoesThroughItsStates) {
  const std::int64_t id = hand_in(ada_);
  const Lease lease = take();
  EXPECT_EQ(lease.submission_id, id);
  EXPECT_FALSE(is_waiting());
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kCompiling, "compiling a.cpp").ok());
  ASSERT_TRUE(publish(lease, "holes", "1.0.0", 2.5).ok());
  EXPECT_FALSE(is_waiting());
  EXPECT_THAT(words_of(id), ElementsAre("received", "compiling", "published"));
  EXPECT_EQ((*find_judgement(records_, id))->gain, 2.5);
  EXPECT_EQ((*find_submission(records_, id))->seconds, 2);
}

TEST_F(Submissions, ContributorsTakeTurns) {
  const std::int64_t first = hand_in(ada_), second = hand_in(ada_), other = hand_in(eve_);
  std::vector<std::int64_t> order;
  for (int i = 0; i < 3; ++i) {
    const Lease lease = take();
    ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kChecking, "").ok());
    order.push_back(lease.submission_id);
  }
  EXPECT_THAT(order, ElementsAre(first, other, second));
}

TEST_F(Submissions, OneWhoseRunnerEndedIsTakenUpAndTheFormerLeaseIsWorthNothing) {
  const std::int64_t id = hand_in(ada_);
  const Lease former = take();
  kill_runner();
  const Lease lease = take();
  EXPECT_EQ(lease.submission_id, id);
  EXPECT_EQ(lease.num_attempts, 2);
  EXPECT_EQ(publish(former, "holes", "1.0.0", 1).error().kind, ErrorKind::kStopped);
  EXPECT_EQ(renew_lease(records_, former, 60).error().kind, ErrorKind::kStopped);
  EXPECT_TRUE(renew_lease(records_, lease, 60).ok());
  EXPECT_EQ(state_of(id), SubmissionState::kReceived);
}

TEST_F(Submissions, ALeaseThatIsNotRenewedIsLost) {
  hand_in(ada_);
  ASSERT_TRUE(take_submission(records_, -1)->has_value());
  EXPECT_EQ(take().num_attempts, 2);
}

TEST_F(Submissions, AfterThreeRunnersItFailsByTheServersFault) {
  const std::int64_t id = hand_in(ada_);
  for (int i = 0; i < kMaxAttempts; ++i) {
    take();
    kill_runner();
  }
  EXPECT_FALSE(is_waiting());
  const Submission submission = **find_submission(records_, id);
  EXPECT_EQ(submission.state, SubmissionState::kFailed);
  EXPECT_EQ(submission.fault, Blame::kServer);
  EXPECT_THAT(submission.reason, HasSubstr("3 times"));
}

TEST_F(Submissions, OneThatIsCancelledTakesNoMoreWords) {
  const std::int64_t id = hand_in(ada_);
  const Lease lease = take();
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  EXPECT_EQ(add_event(records_, lease, "half done").error().kind, ErrorKind::kStopped);
  EXPECT_EQ(publish(lease, "holes", "1.0.0", 1).error().kind, ErrorKind::kStopped);
  EXPECT_THAT(cancel_submission(records_, id).error().message, HasSubstr("has ended already: cancelled"));
  EXPECT_THAT(cancel_submission(records_, 99).error().message, HasSubstr("there is no submission 99"));
  EXPECT_THAT(words_of(id), ElementsAre("received", "cancelled"));
}

TEST_F(Submissions, ANewVersionSupersedesAndNeitherVersionsNorNamesAreTakenTwice) {
  const std::int64_t first = hand_in(ada_);
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 1).ok());
  hand_in(ada_);
  const Lease again = take();
  EXPECT_THAT(publish(again, "holes", "1.0.0", 2).error().message, HasSubstr("raise the version"));
  ASSERT_TRUE(publish(again, "holes", "1.1.0", 2).ok());
  EXPECT_EQ(state_of(first), SubmissionState::kSuperseded);
  hand_in(eve_);
  EXPECT_THAT(publish(take(), "holes", "2.0.0", 3).error().message, HasSubstr("belongs to ada"));
  const std::vector<BoardEntry> entries = *read_board_entries(records_, board_);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].version, "1.1.0");
  EXPECT_EQ(entries[0].contributor, "ada");
}

TEST_F(Submissions, SecondsCountButForTheServersFaults) {
  hand_in(ada_);
  ASSERT_TRUE(
      end_submission(records_, take(), SubmissionState::kRejected, "no", Blame::kContributor, 5).ok());
  hand_in(ada_);
  ASSERT_TRUE(end_submission(records_, take(), SubmissionState::kFailed, "disk", Blame::kServer, 7).ok());
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 5);
  EXPECT_EQ(*seconds_used(records_, eve_, 7), 0);
}

TEST_F(Submissions, ListsAreFilteredAndCarryNoSource) {
  const std::int64_t first = hand_in(ada_), other = hand_in(eve_), last = hand_in(ada_);
  const auto ids = [&](const SubmissionFilter& filter) {
    std::vector<std::int64_t> found;
    const std::vector<Submission> submissions = *read_submissions(records_, filter);
    for (const Submission& submission : submissions) {
      EXPECT_EQ(submission.source, "");
      found.push_back(submission.id);
    }
    return found;
  };
  EXPECT_THAT(ids({}), ElementsAre(last, other, first));
  EXPECT_THAT(ids({.user_id = ada_}), ElementsAre(last, first));
  EXPECT_THAT(ids({.before_id = last, .most = 1}), ElementsAre(other));
  ASSERT_TRUE(cancel_submission(records_, first).ok());
  EXPECT_THAT(ids({.in_work_only = true}), ElementsAre(last, other));
}

TEST_F(Submissions, ABoardKeepsItsNumberWhenItsExperimentChanges) {
  EXPECT_EQ(*put_board(records_, {0, "digits", "dataset: {name: mnist}", 16}), board_);
  const std::vector<Board> boards = *read_boards(records_);
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].experiment, "dataset: {name: mnist}");
  EXPECT_EQ(boards[0].num_seeds, 16u);
}

}  // namespace
}  // namespace mash
