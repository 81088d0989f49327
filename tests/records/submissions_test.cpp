// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submissions.hpp"

#include "framework/base/utc_time.hpp"
#include "framework/records/boards.hpp"
#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Submissions : public sample::QueueTest {
 protected:
  std::vector<std::int64_t> ids(const SubmissionFilter& filter) {
    std::vector<std::int64_t> found;
    const std::vector<Submission> submissions = *read_submissions(records_, filter);
    for (const Submission& submission : submissions) {
      EXPECT_EQ(submission.source, "");
      found.push_back(submission.id);
    }
    return found;
  }
};

TEST(SourceNames, AreOfCppSourcesWithoutFolders) {
  for (const char* name : {"a.cpp", "Holes-2_b.cc", "x.y.cxx"}) EXPECT_TRUE(is_source_name(name)) << name;
  const std::pair<std::string, std::string> rows[] = {
      {"x (1).cpp", "x_1.cpp"},
      {"größe.cpp", "gr_e.cpp"},
      {"gro\u0308\u00dfe.cc", "gro_e.cc"},
      {"ROWS.CPP", "ROWS.cpp"},
      {"rows.Cxx", "rows.cxx"},
      {"rows.v2.cpp", "rows.v2.cpp"},
      {"my  rows - copy.cpp", "my_rows_-_copy.cpp"},
      {"a__b_.cpp", "a__b.cpp"},
      {"\u65e5\u672c.cpp", "source.cpp"},
      {"\u0442\u0435\u0441\u0442.CC", "source.cc"},
      {"\u00e9.cpp", "source.cpp"},
      {"\u0442\u0435\u0441\u0442 2.cpp", "_2.cpp"},
      {std::string(100, 'a') + ".cpp", std::string(60, 'a') + ".cpp"}};
  for (const auto& [name, taken] : rows) {
    EXPECT_EQ(source_name_of(name), taken);
    EXPECT_TRUE(is_source_name(taken)) << taken;
  }
  for (const char* name : {"", ".cpp", "(?).cpp", "../a.cpp", "a\\b.cpp", "/a.cpp", ".a.cpp", "a.txt",
                           "a.cpp.exe", "a", "a.hpp", "a\n.cpp"}) {
    EXPECT_EQ(source_name_of(name), name);
    EXPECT_FALSE(is_source_name(source_name_of(name))) << name;
  }
  EXPECT_TRUE(is_source_name(std::string(60, 'a') + ".cpp"));
  EXPECT_FALSE(is_source_name(std::string(61, 'a') + ".cpp"));
  for (const char* name : {"", ".cpp", "..cpp", "a.exe", "a.cpp ", "../a.cpp", "b/a.cpp", "a b.cpp", "ä.cpp"})
    EXPECT_FALSE(is_source_name(name)) << name;
}

class BoardTermsOfSubmissions : public Submissions {
 protected:
  void put_terms(const BoardTerms& terms) { ASSERT_TRUE(put_board_terms(records_, "digits", terms).ok()); }
  // The message with which nothing is taken from ada; "" where something is.
  std::string refusal() {
    const auto added = add_submission(records_, {ada_, board_, "", "a.cpp", "int a;", "MIT"});
    return added.ok() ? "" : added.error().message;
  }
  BoardIntake intake(std::int64_t user) {
    return *read_intake(records_, user, **find_board(records_, board_));
  }
  void set_received(std::int64_t id, const std::string& modifier) {
    sample::database(records_).exec(fmt::format(
        "UPDATE submissions SET received_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '{}') WHERE id = {}",
        modifier, id));
  }
};

TEST_F(BoardTermsOfSubmissions, NothingIsTakenBeforeABoardOpensNorOnceItIsClosed) {
  put_terms({.opens_at = "2999-12-01T07:00:00Z"});
  EXPECT_EQ(refusal(), "the board digits opens on 2999-12-01 07:00 UTC; nothing is taken before");
  put_terms({.opens_at = "2020-01-01T00:00:00Z", .closes_at = "2020-12-15T22:59:59Z"});
  EXPECT_EQ(refusal(), "the board digits closed on 2020-12-15 22:59:59 UTC; nothing more is taken");
  put_terms({.opens_at = "2020-01-01T00:00:00Z", .closes_at = "2999-01-01T00:00:00Z"});
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(read_submissions(records_, {})->size(), 1u);
}

TEST_F(BoardTermsOfSubmissions, WhatWasHandedInBeforeIsJudgedAndRunAgain) {
  const std::int64_t id = published(ada_, "rows", "1.0.0", 1);
  hand_in(ada_);
  put_terms({.closes_at = "2020-12-15T22:59:59Z"});
  EXPECT_TRUE(publish(take(), "columns", "1.0.0", 2).ok());
  EXPECT_TRUE(rerun_submission(records_, id).ok());
}

TEST_F(BoardTermsOfSubmissions, AttemptsOfADayAreUsedUpAndSayWhenTheNextIsPossible) {
  put_terms({.attempts_a_day = 2});
  const std::int64_t first = hand_in(ada_);
  EXPECT_EQ(intake(ada_).num_attempts, 1);
  EXPECT_EQ(intake(ada_).next_attempt_at, "");
  const std::int64_t second = hand_in(ada_);
  set_received(first, "-23 hours");
  set_received(second, "-1 hours");
  const BoardIntake used = intake(ada_);
  EXPECT_EQ(used.num_attempts, 2);
  EXPECT_NEAR(double(used.next_attempt_seconds), 3600, 60);
  EXPECT_EQ(refusal(),
            fmt::format("the board digits takes 2 attempts of each contributor in 24 hours, and yours "
                        "are used up; the next is possible on {}; sooner if one of the 2 that wait or are "
                        "checked now does not compile or fails a check, which is no attempt",
                        moment_in_words(used.next_attempt_at)));
  ASSERT_TRUE(enter_state(records_, take(), SubmissionState::kExtracting, "it sees pictures").ok());
  EXPECT_EQ(intake(ada_).num_unchecked, 1);
  EXPECT_THAT(refusal(), HasSubstr("; sooner if the one that waits or is checked now does not compile"));
  ASSERT_TRUE(enter_state(records_, take(), SubmissionState::kExtracting, "it sees pictures").ok());
  EXPECT_THAT(refusal(), ::testing::EndsWith(" UTC"));
  EXPECT_EQ(intake(eve_).num_attempts, 0);
  hand_in(eve_);
  set_received(first, "-25 hours");
  EXPECT_EQ(refusal(), "") << "the first is older than a day";
  put_terms({.attempts_a_day = 1});
  EXPECT_NEAR(double(intake(ada_).next_attempt_seconds), 24 * 3600, 60) << "of fewer, the newest counts";
  put_terms({});
  EXPECT_EQ(refusal(), "");
}

TEST_F(BoardTermsOfSubmissions, OnlyWhatMaySeeHiddenPicturesIsAnAttempt) {
  put_terms({.attempts_a_day = 1});
  const auto ends = [&](SubmissionState state, Blame fault, SubmissionState came_to, int num_messages) {
    hand_in(ada_);
    const Lease lease = take();
    for (int i = 0; i < num_messages; ++i) EXPECT_TRUE(add_event(records_, lease, "a message").ok());
    EXPECT_TRUE(enter_state(records_, lease, came_to, "it comes to this").ok());
    EXPECT_TRUE(end_submission(records_, lease, state, "why", fault, 1).ok());
    return intake(ada_).num_attempts;
  };
  using State = SubmissionState;
  EXPECT_EQ(ends(State::kRejected, Blame::kContributor, State::kCompiling, 3), 0) << "it does not compile";
  EXPECT_EQ(ends(State::kFailed, Blame::kServer, State::kJudging, 0), 0) << "by the server's fault";
  ASSERT_TRUE(cancel_submission(records_, hand_in(ada_)).ok());
  EXPECT_EQ(intake(ada_).num_attempts, 0) << "taken back before a runner took it";
  EXPECT_EQ(ends(State::kRejected, Blame::kContributor, State::kExtracting, 0), 1) << "it saw pictures";
  put_terms({});
  EXPECT_EQ(ends(State::kRejected, Blame::kContributor, State::kExtracting, int(kMaxEventsOfOne)), 2)
      << "messages without end hide nothing";
}

TEST_F(BoardTermsOfSubmissions, AttemptsAreOfAllVersionsOfABoardAndOfNoOther) {
  put_terms({.attempts_a_day = 1});
  const std::int64_t id = published(ada_, "rows", "1.0.0", 1);
  board_ = *put_board(records_, {0, "digits", "dataset: {name: mnist}", 8});
  EXPECT_EQ(intake(ada_).num_attempts, 1);
  ASSERT_TRUE(rerun_submission(records_, id).ok());
  EXPECT_EQ(intake(ada_).num_attempts, 1) << "reruns are the operator's";
  board_ = *put_board(records_, {0, "letters", "dataset: {name: letters}", 8});
  EXPECT_EQ(intake(ada_).num_attempts, 0);
  EXPECT_EQ(refusal(), "");
}

// The account may end between the look at its token and the submission.
TEST_F(Submissions, NothingIsTakenFromAnAccountThatIsDisabledOrClosed) {
  const auto refusal = [&](std::int64_t user) {
    const auto added = add_submission(records_, {user, board_, "", "a.cpp", "int a;", "MIT"});
    return added.ok() ? "" : added.error().message;
  };
  ASSERT_TRUE(disable_user(records_, eve_).ok());
  EXPECT_EQ(refusal(eve_), "the account eve is disabled; nothing is taken from it");
  const std::string name = close_account(records_, ada_, ClosedWork::kStays)->name;
  EXPECT_EQ(refusal(ada_), "the account " + name + " is closed; nothing is taken from it");
  EXPECT_TRUE(read_submissions(records_, {})->empty());
  ASSERT_TRUE(disable_user(records_, eve_, false).ok());
  EXPECT_EQ(refusal(eve_), "");
}

// Three: one that stays and was run again, one that never ended, and one that an operator had removed.
TEST_F(Submissions, AClosedAccountTellsWhatStaysAndWhatWentWithIt) {
  const std::int64_t stays = published(ada_, "rows", "1.0.0", 1);
  ASSERT_TRUE(rerun_submission(records_, stays).ok());
  ASSERT_TRUE(publish(take(), "rows", "1.0.0", 1).ok());
  ASSERT_TRUE(remove_submission(records_, published(ada_, "copy", "1.0.0", 1), "not theirs").ok());
  hand_in(ada_);
  const ClosedAccount closed = *close_account(records_, ada_, ClosedWork::kStays);
  EXPECT_EQ(closed.num_published, 1);
  EXPECT_EQ(closed.num_removed, 1);
}

TEST_F(Submissions, TheSameRequestIsTheSameSubmission) {
  const std::int64_t first = hand_in(ada_, "k");
  EXPECT_EQ(hand_in(ada_, "k"), first);
  EXPECT_NE(hand_in(eve_, "k"), first);
  EXPECT_NE(hand_in(ada_), hand_in(ada_));
  EXPECT_EQ(read_events(records_, 0, first, 10)->size(), 1u);
}

TEST_F(Submissions, SettingsAreKeptInTheirOrderAndRunAgain) {
  const std::vector<SubmissionSetting> settings{{"levels", "8"}, {"grid", "3"}, {"clip", "0.2"}};
  NewSubmission submission{ada_, board_, "", "a.cpp", "int a;", "MIT"};
  submission.settings = settings;
  const std::int64_t id = *add_submission(records_, submission);
  EXPECT_EQ(this->submission(id).settings, settings);
  EXPECT_EQ(settings_in_words(settings), "levels=8, grid=3, clip=0.2");
  SubmissionFilter filter;
  EXPECT_EQ(read_submissions(records_, filter)->at(0).settings, settings);
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 1).ok());
  EXPECT_EQ(this->submission(*rerun_submission(records_, id)).settings, settings);
  EXPECT_TRUE(this->submission(hand_in(eve_)).settings.empty());
  ASSERT_TRUE(remove_submission(records_, id, "it was a mistake").ok());
  EXPECT_TRUE(this->submission(id).settings.empty()) << "what was removed is shown to nobody";
}

TEST(SubmissionSettings, AreShortLinesOfTextEachOnce) {
  EXPECT_TRUE(check_submission_settings({}).ok());
  EXPECT_TRUE(check_submission_settings({{"levels", "8"}, {"grid", "3"}}).ok());
  const auto said = [](const std::vector<SubmissionSetting>& settings) {
    const Status checked = check_submission_settings(settings);
    return checked.ok() ? "" : checked.error().message;
  };
  EXPECT_THAT(said({{"levels", ""}}),
              HasSubstr("key 'settings': found 'levels=', expected a name and a value"));
  EXPECT_THAT(said({{"", "8"}}), HasSubstr("found '=8'"));
  EXPECT_THAT(said({{"levels", "8\n9"}}), HasSubstr("expected a name and a value"));
  EXPECT_THAT(said({{"levels", std::string(201, '8')}}), HasSubstr("of 1 to 200 bytes"));
  EXPECT_EQ(said({{"levels", "8"}, {"levels", "9"}}), "key 'settings': 'levels' is given twice");
  EXPECT_EQ(said(std::vector<SubmissionSetting>(51, {"a", "b"})),
            "key 'settings': found 51, expected at most 50");
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

// One that a runner took has cost quota: its source stays.
TEST_F(Submissions, SourcesOfThoseTakenBackInTimeAreNotKept) {
  const std::int64_t waiting = hand_in(ada_), taken = hand_in(eve_);
  const std::string hash = submission(waiting).source_sha256;
  ASSERT_TRUE(cancel_submission(records_, waiting).ok());
  EXPECT_EQ(take().submission_id, taken);
  ASSERT_TRUE(cancel_submission(records_, taken).ok());
  EXPECT_EQ(submission(waiting).source, "");
  EXPECT_EQ(submission(waiting).source_sha256, hash);
  EXPECT_EQ(submission(taken).source, "int a = 1;");
}

TEST_F(Submissions, ASubmissionIsReadWithoutItsSource) {
  const std::int64_t id = hand_in(ada_);
  const Submission facts = **find_submission(records_, id, SourceText::kLeftOut);
  EXPECT_EQ(facts.source, "");
  EXPECT_EQ(facts.source_sha256, submission(id).source_sha256);
  EXPECT_EQ(facts.contributor, "ada");
  EXPECT_EQ(submission(id).source, "int a = 0;");
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

TEST_F(Submissions, SecondsCountOfOneThatIsCancelledInTheMiddle) {
  const std::int64_t id = hand_in(ada_);
  take();
  sample::database(records_).exec("UPDATE submissions SET lease_since_ms = lease_since_ms - 100000");
  ASSERT_TRUE(cancel_submission(records_, id).ok());
  EXPECT_NEAR(*seconds_used(records_, ada_, 7), 100, 5);
  ASSERT_TRUE(cancel_submission(records_, hand_in(eve_)).ok());
  EXPECT_EQ(*seconds_used(records_, eve_, 7), 0);
}

TEST_F(Submissions, NoSecondsCountWhereNoRunnerWasAtIt) {
  const auto cancelled_after = [&](const std::string& change) {
    const std::int64_t id = hand_in(ada_);
    take();
    sample::database(records_).exec("UPDATE submissions SET lease_since_ms = lease_since_ms - 100000, " +
                                    change);
    EXPECT_TRUE(cancel_submission(records_, id).ok());
    return submission(id).seconds;
  };
  EXPECT_EQ(cancelled_after("lease_start = lease_start - 1"), 0);  // it has ended
  EXPECT_EQ(cancelled_after("lease_until_ms = 0"), 0);             // it has lost the lease
}

TEST_F(Submissions, ListsAreFilteredAndCarryNoSource) {
  const std::int64_t first = hand_in(ada_), other = hand_in(eve_), last = hand_in(ada_);
  EXPECT_THAT(ids({}), ElementsAre(last, other, first));
  EXPECT_THAT(ids({.user_id = ada_}), ElementsAre(last, first));
  EXPECT_THAT(ids({.before_id = last, .most = 1}), ElementsAre(other));
  ASSERT_TRUE(cancel_submission(records_, first).ok());
  EXPECT_THAT(ids({.in_work_only = true}), ElementsAre(last, other));
}

TEST_F(Submissions, PrivateOnesAreListedWhenTheyArePublished) {
  const std::int64_t id = *add_submission(records_, {ada_, board_, "", "a.cpp", "int a;", "MIT", true});
  EXPECT_THAT(ids({}), ElementsAre());
  EXPECT_THAT(ids({.with_private = true}), ElementsAre(id));
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 1).ok());
  EXPECT_THAT(ids({}), ElementsAre(id));
}

TEST_F(Submissions, HeldOnesAreNotTakenUntilTheyAreReleased) {
  const std::int64_t id = hand_in(ada_), other = hand_in(ada_);
  ASSERT_TRUE(hold_submission(records_, id, true).ok());
  EXPECT_TRUE(submission(id).is_held);
  EXPECT_EQ(take().submission_id, other);
  EXPECT_FALSE(*is_any_waiting(records_));
  EXPECT_FALSE(is_taken());
  ASSERT_TRUE(hold_submission(records_, id, false).ok());
  EXPECT_TRUE(*is_any_waiting(records_));
  EXPECT_EQ(take().submission_id, id);
  EXPECT_THAT(words_of(id), ElementsAre("received", "received", "received"));
}

TEST_F(Submissions, OneThatHasEndedCannotBeHeld) {
  const std::int64_t id = published(ada_, "holes", "1.0.0", 1);
  EXPECT_THAT(hold_submission(records_, id, true).error().message, HasSubstr("has ended already: published"));
  EXPECT_THAT(hold_submission(records_, 99, true).error().message, HasSubstr("there is no submission 99"));
}

TEST_F(Submissions, OneThatIsRemovedStandsOnNoBoard) {
  published(ada_, "holes", "1.0.0", 1);
  const std::int64_t second = published(ada_, "holes", "1.1.0", 2);
  const std::int64_t before = find_board(records_, board_)->value().revision;
  ASSERT_TRUE(remove_submission(records_, second, "not theirs").ok());
  EXPECT_EQ(submission(second).removed_why, "not theirs");
  EXPECT_GT(find_board(records_, board_)->value().revision, before);
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].version, "1.0.0");
}

TEST_F(Submissions, WhatIsRemovedTakesItsOtherRunsAlong) {
  const std::int64_t first = published(ada_, "holes", "1.0.0", 1),
                     other = published(ada_, "lines", "1.0.0", 2);
  const std::int64_t again = *rerun_submission(records_, first);
  ASSERT_TRUE(publish(take(), "holes", "1.0.0", 1).ok());
  const std::int64_t waiting = *rerun_submission(records_, first);
  ASSERT_TRUE(remove_submission(records_, again, "not theirs").ok());
  for (const std::int64_t id : {first, again, waiting}) {
    EXPECT_EQ(submission(id).removed_why, "not theirs");
    EXPECT_EQ(submission(id).source, "");
  }
  EXPECT_EQ(state_of(waiting), SubmissionState::kCancelled);
  EXPECT_FALSE(is_taken());
  EXPECT_EQ(submission(other).removed_why, "");
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(entries()[0].heuristic, "lines");
}

TEST_F(Submissions, NoWordsAreToldOfWhatIsRemoved) {
  const std::int64_t id = hand_in(ada_);
  const Lease lease = take();
  ASSERT_TRUE(name_submission(records_, lease, "holes", "1.0.0", "counts holes").ok());
  ASSERT_TRUE(
      end_submission(records_, lease, SubmissionState::kRejected, "line 3", Blame::kContributor, 1).ok());
  ASSERT_EQ(submission(id).reason, "line 3");
  ASSERT_TRUE(remove_submission(records_, id, "not theirs").ok());
  const std::vector<Submission> listed = *read_submissions(records_, {});
  ASSERT_EQ(listed.size(), 1u);
  for (const Submission& one : {submission(id), listed[0]}) {
    EXPECT_EQ(one.contributor, "ada");
    EXPECT_EQ(one.file_name + one.source + one.heuristic + one.version + one.summary + one.reason, "");
  }
}

TEST_F(Submissions, OneInWorkIsNotRemovedNorWithoutAReason) {
  const std::int64_t id = hand_in(ada_);
  EXPECT_THAT(remove_submission(records_, id, "why").error().message, HasSubstr("cancel it first"));
  EXPECT_THAT(remove_submission(records_, id, "").error().message, HasSubstr("expected a reason"));
}

}  // namespace
}  // namespace mash
