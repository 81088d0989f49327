// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submission_queue.hpp"

#include <time.h>
#include <unistd.h>

#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using SubmissionQueue = sample::QueueTest;

TEST_F(SubmissionQueue, OneIsTakenOnceAndGoesThroughItsStates) {
  const std::int64_t id = hand_in(ada_);
  EXPECT_TRUE(*is_any_waiting(records_));
  const Lease lease = take();
  EXPECT_EQ(lease.submission_id, id);
  EXPECT_FALSE(*is_any_waiting(records_));
  EXPECT_FALSE(is_taken());
  ASSERT_TRUE(enter_state(records_, lease, SubmissionState::kCompiling, "compiling a.cpp").ok());
  ASSERT_TRUE(publish(lease, "holes", "1.0.0", 2.5).ok());
  EXPECT_FALSE(is_taken());
  EXPECT_THAT(words_of(id), ElementsAre("received", "compiling", "published"));
  EXPECT_EQ((*find_judgement(records_, id))->gain, 2.5);
  EXPECT_EQ(submission(id).seconds, 2);
}

TEST_F(SubmissionQueue, ContributorsTakeTurns) {
  const std::int64_t first = hand_in(ada_), second = hand_in(ada_), other = hand_in(eve_);
  std::vector<std::int64_t> order;
  for (int i = 0; i < 3; ++i) {
    order.push_back(take().submission_id);
  }
  EXPECT_THAT(order, ElementsAre(first, other, second));
}

TEST_F(SubmissionQueue, WhoWaitsLongestSinceTheirTurnComesFirst) {
  const std::int64_t others = hand_in(eve_), hers = hand_in(ada_);
  EXPECT_EQ(take().submission_id, others);
  EXPECT_EQ(take().submission_id, hers);
  const std::int64_t her_next = hand_in(ada_), other_next = hand_in(eve_);
  EXPECT_EQ(take().submission_id, other_next);
  EXPECT_EQ(take().submission_id, her_next);
}

TEST_F(SubmissionQueue, OneWhoseRunnerEndedIsTakenUpAndTheFormerLeaseIsWorthNothing) {
  const std::int64_t id = hand_in(ada_);
  const Lease former = take();
  kill_runner();
  const Lease lease = take();
  EXPECT_EQ(lease.submission_id, id);
  EXPECT_EQ(lease.num_attempts, 2);
  EXPECT_EQ(publish(former, "holes", "1.0.0", 1).error().kind, ErrorKind::kStopped);
  EXPECT_EQ(renew_lease(records_, former, 60).error().kind, ErrorKind::kStopped);
  EXPECT_EQ(put_findings(records_, former, {}).error().kind, ErrorKind::kStopped);
  EXPECT_EQ(end_submission(records_, former, SubmissionState::kFailed, "", Blame::kServer, 1).error().kind,
            ErrorKind::kStopped);
  EXPECT_TRUE(renew_lease(records_, lease, 60).ok());
  EXPECT_EQ(state_of(id), SubmissionState::kReceived);
}

TEST_F(SubmissionQueue, ALeaseThatIsNotRenewedIsLost) {
  hand_in(ada_);
  ASSERT_TRUE(take_submission(records_, -1)->has_value());
  EXPECT_EQ(take().num_attempts, 2);
}

// The clock on the wall may be set; the one that leases go by counts from boot.
TEST_F(SubmissionQueue, LeasesGoByTheClockFromBoot) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::int64_t(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
  };
  const std::int64_t id = hand_in(ada_), before = now();
  take();
  const std::int64_t until =
      sample::database(records_)
          .execAndGet("SELECT lease_until_ms FROM submissions WHERE id = " + std::to_string(id))
          .getInt64();
  EXPECT_GE(until, before + 60'000);
  EXPECT_LE(until, now() + 60'000);
  // Times of events say nothing about who holds it.
  sample::database(records_).exec("UPDATE submission_events SET at = '2100-01-01T00:00:00Z'");
  EXPECT_FALSE(is_taken());
  sample::database(records_).exec("UPDATE submissions SET lease_until_ms = " + std::to_string(now() - 1));
  EXPECT_TRUE(is_taken());
}

TEST_F(SubmissionQueue, AfterThreeRunnersItFailsByTheServersFault) {
  const std::int64_t id = hand_in(ada_);
  for (int i = 0; i < kMaxAttempts; ++i) {
    take();
    kill_runner();
  }
  EXPECT_FALSE(is_taken());
  EXPECT_EQ(state_of(id), SubmissionState::kFailed);
  EXPECT_EQ(submission(id).fault, Blame::kServer);
  EXPECT_THAT(submission(id).reason, HasSubstr("3 times"));
}

TEST_F(SubmissionQueue, ANameThatIsTakenSaysHow) {
  published(eve_, "eve/holes", "1.0.0", 2.5);
  published(eve_, "zed/edges", "1.0.0", 1);
  EXPECT_EQ(rename_user(records_, ada_, "eve").error().message,
            "user name 'eve': is taken: another user has it, or had it");
  EXPECT_EQ(rename_user(records_, ada_, "Zed").error().message,
            "user name 'Zed': is taken: ids of another user's heuristics begin with 'zed/'");
}

// A runner that is killed takes its time along: the submission counts once.
TEST_F(SubmissionQueue, OnlyTheTimeOfTheJudgingThatEndedCounts) {
  const auto lose_a_runner = [&] {
    take();
    sample::database(records_).exec("UPDATE submissions SET lease_since_ms = lease_since_ms - 40000");
    kill_runner();
  };
  const std::int64_t id = hand_in(ada_);
  lose_a_runner();
  const Lease lease = take();
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 0) << "it is in work";
  ASSERT_TRUE(publish(lease, "holes", "1.0.0", 2.5).ok());
  EXPECT_EQ(submission(id).seconds, 2);
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 2);
  hand_in(ada_);
  lose_a_runner();
  ASSERT_TRUE(
      end_submission(records_, take(), SubmissionState::kRejected, "no", Blame::kContributor, 5).ok());
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 7);
  const std::int64_t cancelled = hand_in(ada_);
  lose_a_runner();
  ASSERT_TRUE(cancel_submission(records_, cancelled).ok());
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 7);
}

// A submission that ends runners costs its contributor no quota, and is bounded all the same.
TEST_F(SubmissionQueue, TheTimeOfRunnersThatEndedIsTakenWhereTheServerIsAtFault) {
  hand_in(ada_);
  for (int i = 0; i < kMaxAttempts; ++i) {
    take();
    sample::database(records_).exec("UPDATE submissions SET lease_since_ms = lease_since_ms - 40000");
    kill_runner();
  }
  EXPECT_FALSE(is_taken());
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 0);
  EXPECT_NEAR(*seconds_taken(records_, ada_, 7), 120, 10);
}

TEST_F(SubmissionQueue, WhatIsGivenBackIsTakenAtOnceAndCountsWhereItIsTold) {
  const std::int64_t id = hand_in(ada_);
  for (int i = 0; i < 2 * kMaxAttempts; ++i) {
    const Lease lease = take();
    EXPECT_EQ(lease.num_attempts, 1);
    ASSERT_TRUE(give_back(records_, lease, false, "the runner stops").ok());
    EXPECT_EQ(renew_lease(records_, lease, 60).error().kind, ErrorKind::kStopped);
    EXPECT_EQ(give_back(records_, lease, false, "").error().kind, ErrorKind::kStopped);
  }
  EXPECT_EQ(submission(id).num_attempts, 0);
  for (int i = 0; i < kMaxAttempts; ++i)
    ASSERT_TRUE(give_back(records_, take(), true, "it is tried again").ok());
  EXPECT_FALSE(is_taken());
  EXPECT_EQ(state_of(id), SubmissionState::kFailed);
  EXPECT_EQ(submission(id).fault, Blame::kServer);
}

TEST_F(SubmissionQueue, ANewVersionSupersedesAndNeitherVersionsNorNamesAreTakenTwice) {
  const std::int64_t first = published(ada_, "holes", "1.0.0", 1);
  hand_in(ada_);
  const Lease again = take();
  EXPECT_THAT(publish(again, "holes", "1.0.0", 2).error().message, HasSubstr("raise the version"));
  ASSERT_TRUE(publish(again, "holes", "1.1.0", 2).ok());
  EXPECT_EQ(state_of(first), SubmissionState::kSuperseded);
  hand_in(eve_);
  EXPECT_THAT(publish(take(), "holes", "2.0.0", 3).error().message, HasSubstr("belongs to ada"));
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].version, "1.1.0");
  EXPECT_EQ(entries()[0].contributor, "ada");
}

TEST_F(SubmissionQueue, TheLatestStaysPublishedWhicheverIsJudgedFirst) {
  const std::int64_t first = hand_in(ada_), second = hand_in(ada_);
  const Lease earlier = take(), later = take();
  ASSERT_TRUE(publish(later, "holes", "1.1.0", 2).ok());
  ASSERT_TRUE(publish(earlier, "holes", "1.0.0", 1).ok());
  EXPECT_THAT(words_of(first), ElementsAre("received", "published", "superseded"));
  EXPECT_EQ(state_of(second), SubmissionState::kPublished);
  EXPECT_EQ(entries()[0].version, "1.1.0");
}

TEST_F(SubmissionQueue, OfTwoJudgedAtOnceUnderOneNameTheSecondIsRejected) {
  const std::int64_t hers = hand_in(ada_), others = hand_in(eve_);
  const Lease first = take();
  ASSERT_TRUE(enter_state(records_, first, SubmissionState::kChecking, "").ok());
  const Lease second = take();
  for (const Lease& lease : {first, second})
    ASSERT_TRUE(name_submission(records_, lease, "holes", "1.0.0", "").ok());
  ASSERT_TRUE(publish_submission(records_, first, judgement(1), 2).ok());
  ASSERT_TRUE(publish_submission(records_, second, judgement(2), 2).ok());
  EXPECT_EQ(state_of(hers), SubmissionState::kPublished);
  EXPECT_EQ(state_of(others), SubmissionState::kRejected);
  EXPECT_THAT(submission(others).reason, HasSubstr("belongs to ada"));
  EXPECT_FALSE(find_judgement(records_, others)->has_value());
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(SubmissionQueue, AnIdIsCheckedWithoutBeingTaken) {
  published(ada_, "ada/holes", "1.0.0", 1);
  const std::int64_t others = hand_in(eve_);
  const Lease lease = take();
  EXPECT_THAT(check_submission_id(records_, lease, "ada/holes", "2.0.0").error().message,
              HasSubstr("belongs to ada"));
  EXPECT_THAT(check_submission_id(records_, lease, "ada/rows", "1.0.0").error().message,
              HasSubstr("choose another id"));
  EXPECT_TRUE(check_submission_id(records_, lease, "eve/holes", "1.0.0").ok());
  EXPECT_EQ(submission(others).heuristic, "");
}

TEST_F(SubmissionQueue, FindingsAreThoseOfTheLastAttempt) {
  const std::int64_t id = hand_in(ada_);
  const Lease lease = take();
  ASSERT_TRUE(put_findings(records_, lease, {{3, 7, "warning", "unused"}}).ok());
  ASSERT_TRUE(put_findings(records_, lease, {{3, 7, "error", "no such name"}, {0, 0, "check", "slow"}}).ok());
  const std::vector<SourceFinding> findings = *read_findings(records_, id);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 3u);
  EXPECT_EQ(findings[0].column, 7u);
  EXPECT_EQ(findings[0].kind, "error");
  EXPECT_EQ(findings[0].text, "no such name");
  EXPECT_EQ(findings[1].kind, "check");
  EXPECT_TRUE(read_findings(records_, 99)->empty());
}

TEST_F(SubmissionQueue, AnotherRunWithTheSameFiguresVerifiesTheFirst) {
  const std::int64_t first = published(ada_, "holes", "1.0.0", 2.5);
  const std::int64_t again = *rerun_submission(records_, first);
  EXPECT_EQ(submission(again).rerun_of, first);
  EXPECT_EQ(submission(again).source, submission(first).source);
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 2.5).ok());
  EXPECT_EQ(state_of(first), SubmissionState::kPublished);
  EXPECT_NE(submission(first).verified_at, "");
  EXPECT_EQ(state_of(again), SubmissionState::kSuperseded);
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].submission_id, first);
  EXPECT_NE(entries()[0].verified_at, "");
  EXPECT_EQ(*seconds_used(records_, ada_, 7), 2);  // those of the first
}

TEST_F(SubmissionQueue, AnotherRunWithOtherFiguresIsTheServersFault) {
  const std::int64_t first = published(ada_, "holes", "1.0.0", 2.5);
  const std::int64_t again = *rerun_submission(records_, first);
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", std::nextafter(2.5, 3.0)).ok());
  EXPECT_EQ(submission(first).verified_at, "");
  EXPECT_EQ(state_of(first), SubmissionState::kPublished);
  EXPECT_EQ(state_of(again), SubmissionState::kFailed);
  EXPECT_EQ(submission(again).fault, Blame::kServer);
  EXPECT_THAT(submission(again).reason, HasSubstr("gave other figures"));
  EXPECT_FALSE(find_judgement(records_, again)->has_value());
  EXPECT_FALSE(find_judged(records_, again)->has_value());
  EXPECT_EQ(entries()[0].submission_id, first);
}

// A run that verifies the first, on its own version of the board, says nothing of the next one.
TEST_F(SubmissionQueue, WhatIsBeingVerifiedRunsAgainOnANewVersionOfTheBoard) {
  const std::int64_t first = published(ada_, "holes", "1.0.0", 2.5);
  const std::int64_t again = *rerun_submission(records_, first);
  EXPECT_THAT(rerun_submission(records_, first).error().message,
              HasSubstr(fmt::format("is run again already, as submission {}", again)));
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits, train: 500}", 8});
  EXPECT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
  EXPECT_THAT(rerun_board(records_, "digits")->left_out, ::testing::ElementsAre(first));
}

TEST_F(SubmissionQueue, TheHighestVersionStaysPublishedWhicheverComesLast) {
  struct Row {
    const char *first, *second;
    bool second_stays;
  };
  const Row rows[] = {
      {"1.0.0", "1.0.1", true},   {"1.0.1", "1.0.0", false},  {"1.9.0", "1.10.0", true},
      {"1.10.0", "1.9.0", false}, {"2.0.0", "10.0.0", true},  {"1.0.0", "0.9.9", false},
      {"1.2.3", "1.3.0", true},   {"01.1.0", "1.0.9", false}, {"1.0.0", "99999999999999999999999.0.0", true}};
  int number = 0;
  for (const Row& row : rows) {
    const std::string id = fmt::format("holes{}", number++);
    const std::int64_t first = published(ada_, id, row.first, 1), second = published(ada_, id, row.second, 1);
    const std::int64_t stays = row.second_stays ? second : first, goes = row.second_stays ? first : second;
    EXPECT_EQ(state_of(stays), SubmissionState::kPublished) << row.first << " " << row.second;
    EXPECT_EQ(state_of(goes), SubmissionState::kSuperseded) << row.first << " " << row.second;
  }
  // One that was removed is in nobody's way.
  ASSERT_TRUE(remove_submission(records_, published(ada_, "edges", "2.0.0", 1), "not theirs").ok());
  EXPECT_EQ(state_of(published(ada_, "edges", "1.0.0", 1)), SubmissionState::kPublished);
}

TEST_F(SubmissionQueue, TheBeginningOfAnIdBelongsToItsFirstUser) {
  published(eve_, "team/holes", "1.0.0", 1);
  published(ada_, "plain", "1.0.0", 1);
  struct Row {
    std::int64_t user;
    const char *id, *owner;  // null: it may be published
  };
  const Row rows[] = {
      {ada_, "ada/holes", nullptr},  {eve_, "ada/edges", "ada"},  {eve_, "ada/holes", "ada"},
      {ada_, "eve/holes", "eve"},    {ada_, "team/edges", "eve"}, {eve_, "team/edges", nullptr},
      {eve_, "adah/holes", nullptr}, {eve_, "ada-1/x", nullptr},  {eve_, "team", nullptr},
      {ada_, "new/x", nullptr},      {eve_, "new/y", "ada"}};
  for (const Row& row : rows) {
    hand_in(row.user);
    const Lease lease = take();
    const Status published = publish(lease, row.id, "1.0.0", 1);
    EXPECT_EQ(published.ok(), row.owner == nullptr) << row.id;
    if (published.ok()) continue;
    EXPECT_THAT(published.error().message, HasSubstr(fmt::format("to {}: choose another", row.owner)))
        << row.id;
    ASSERT_TRUE(end_submission(records_, lease, SubmissionState::kRejected, "", Blame::kContributor, 0).ok());
  }
  // Nobody registers with a name under which others have published.
  for (const char* name : {"team", "TEAM", "new"})
    EXPECT_THAT(add_user(records_, {0, name, "contributor", ""}).error().message, HasSubstr("is taken"))
        << name;
  EXPECT_TRUE(add_user(records_, {0, "plain", "contributor", ""}).ok());
}

TEST_F(SubmissionQueue, OnlyWhatIsPublishedIsRunAgain) {
  const std::int64_t id = hand_in(ada_);
  EXPECT_THAT(rerun_submission(records_, id).error().message, HasSubstr("is not published"));
  EXPECT_THAT(rerun_submission(records_, 99).error().message, HasSubstr("is not published"));
}

TEST_F(SubmissionQueue, ANewVersionOfTheBoardRunsAllOfItAgainAndKeepsTheFormer) {
  const std::int64_t holes = published(ada_, "holes", "1.0.0", 2.5), former_board = board_;
  published(eve_, "edges", "1.0.0", 1);
  published(eve_, "edges", "1.1.0", 1.5);
  EXPECT_EQ(rerun_board(records_, "digits")->num_submissions, 0u);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits, train: 500}", 8});
  EXPECT_EQ(rerun_board(records_, "digits")->num_submissions, 2u);
  const BoardRerun again = *rerun_board(records_, "digits");  // they wait
  EXPECT_EQ(again.num_submissions, 0u);
  EXPECT_THAT(again.left_out, ::testing::ElementsAre(holes, holes + 2));
  EXPECT_EQ(told(again, 2),
            "0 submissions of former versions run again on version 2; left out, as they wait for version 2 "
            "already: 1, 3");
  EXPECT_EQ(told({1, {}}, 2), "1 submission of former versions runs again on version 2");
  for (int i = 0; i < 2; ++i) {
    const Lease lease = take();
    const Submission taken = submission(lease.submission_id);
    EXPECT_EQ(taken.board_id, board_);
    const bool is_holes = taken.rerun_of == holes;
    ASSERT_TRUE(publish(lease, is_holes ? "holes" : "edges", is_holes ? "1.0.0" : "1.1.0", 3).ok());
    EXPECT_EQ(state_of(taken.id), SubmissionState::kPublished);
  }
  EXPECT_EQ(state_of(holes), SubmissionState::kSuperseded);
  EXPECT_EQ(submission(holes).verified_at, "");
  EXPECT_EQ(entries().size(), 2u);
  EXPECT_EQ(entries()[0].gain, 3);
  const std::vector<BoardEntry> former = *read_board_entries(records_, former_board);
  ASSERT_EQ(former.size(), 2u);
  EXPECT_EQ(former[0].submission_id, holes);
  EXPECT_EQ(former[0].gain, 2.5);
}

// By hand: 1.0.0 is published; on the next version of the board 1.1.0 waits, and 1.0.0 is run again behind
// it.
TEST_F(SubmissionQueue, AnotherRunOfAnOlderVersionStaysTheOlderOne) {
  published(ada_, "holes", "1.0.0", 1);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits, train: 500}", 8});
  const std::int64_t newer = hand_in(ada_);
  ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
  ASSERT_TRUE(publish(take(), "holes", "1.1.0", 2).ok());
  const Lease again = take();
  ASSERT_GT(again.submission_id, newer);
  ASSERT_TRUE(publish(again, "holes", "1.0.0", 1).ok());
  EXPECT_EQ(state_of(newer), SubmissionState::kPublished);
  EXPECT_EQ(state_of(again.submission_id), SubmissionState::kSuperseded);
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].version, "1.1.0");
}

// Numbers order versions, and not the order in which they were handed in; on a former version of the board,
// where all are superseded once they run again, too.
TEST_F(SubmissionQueue, ALowerVersionThatIsHandedInLaterDoesNotStandOnTheBoard) {
  const std::int64_t highest = published(ada_, "holes", "1.10.0", 2);
  for (const char* version : {"1.9.12", "1.2.20", "0.11.0"}) published(ada_, "holes", version, 3);
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].version, "1.10.0");
  board_ = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
  ASSERT_TRUE(publish(take(), "holes", "1.10.0", 2).ok());
  EXPECT_EQ(state_of(highest), SubmissionState::kSuperseded);
  const std::vector<Board> versions = *read_board_versions(records_, "digits");
  EXPECT_EQ(read_board_entries(records_, versions[1].id)->at(0).submission_id, highest);
  EXPECT_EQ(entries().at(0).version, "1.10.0");
}

// The newer version is handed in before the older one is run again, and judged after that was done twice.
TEST_F(SubmissionQueue, AnotherRunOfAnotherRunIsAsOldAsTheFirst) {
  published(ada_, "holes", "1.0.0", 1);
  const std::int64_t newer = hand_in(ada_);
  const Lease slow = take();
  for (const char* const experiment : {"dataset: {name: digits, train: 500}", "dataset: {name: mnist}"}) {
    board_ = *put_board(records_, {0, "digits", experiment, 8});
    ASSERT_EQ(rerun_board(records_, "digits")->num_submissions, 1u);
    ASSERT_TRUE(publish(take(), "holes", "1.0.0", 1).ok());
  }
  ASSERT_TRUE(publish(slow, "holes", "1.1.0", 2).ok());
  EXPECT_EQ(state_of(newer), SubmissionState::kPublished);
  EXPECT_EQ(entries()[0].version, "1.0.0");  // the newer one was judged on the first version of the board
}

TEST_F(SubmissionQueue, AHeuristicBelongsToItsFirstPublisherOnAllBoards) {
  published(ada_, "holes", "1.0.0", 1);
  board_ = *put_board(records_, {0, "letters", "dataset: {name: letters}", 8});
  hand_in(eve_);
  const Lease others = take();
  EXPECT_THAT(publish(others, "holes", "2.0.0", 3).error().message, HasSubstr("belongs to ada"));
  ASSERT_TRUE(cancel_submission(records_, others.submission_id).ok());
  // Its owner may offer the same version to each board.
  const std::int64_t hers = published(ada_, "holes", "1.0.0", 2);
  EXPECT_EQ(state_of(hers), SubmissionState::kPublished);
}

TEST_F(SubmissionQueue, RunnersThatLiveAreSeen) {
  EXPECT_TRUE(read_runners(records_)->empty());
  ASSERT_TRUE(report_runner(records_, std::nullopt).ok());
  const std::int64_t id = hand_in(ada_);
  ASSERT_TRUE(report_runner(records_, id).ok());
  std::vector<RunnerSeen> runners = *read_runners(records_);
  ASSERT_EQ(runners.size(), 1u);
  EXPECT_EQ(runners[0].pid, ::getpid());
  EXPECT_EQ(runners[0].submission_id, id);
  EXPECT_GE(runners[0].seconds_ago, 0);
  EXPECT_LT(runners[0].seconds_ago, 60);
  ASSERT_TRUE(report_runner(records_, std::nullopt).ok());
  EXPECT_EQ((*read_runners(records_))[0].submission_id, std::nullopt);
  sample::database(records_).exec("UPDATE runners SET start = start - 1");  // as if it had ended
  EXPECT_TRUE(read_runners(records_)->empty());
  ASSERT_TRUE(report_runner(records_, std::nullopt).ok());
  EXPECT_EQ(sample::database(records_).execAndGet("SELECT COUNT(*) FROM runners").getInt(), 1);
}

}  // namespace
}  // namespace mash
