// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/beyond.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>

#include "framework/records/internal/migrations/migrations.hpp"
#include "framework/records/site/answers.hpp"
#include "tests/records/queue_sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Beyond : public sample::QueueTest {
 protected:
  Board board() { return **find_board(records_, board_); }
  std::vector<WantedBeyond> wanted() { return *read_wanted_beyond(records_, board_); }
  std::vector<std::int64_t> wanted_ids() {
    std::vector<std::int64_t> ids;
    for (const WantedBeyond& one : wanted()) ids.push_back(one.submission_id);
    return ids;
  }
  WantedBeyond wanted(std::int64_t id) {
    const auto all = wanted();
    return *std::ranges::find(all, id, &WantedBeyond::submission_id);
  }
  void keep(std::int64_t id, double gain, const std::vector<std::int64_t>& left_out = {}) {
    ASSERT_TRUE(keep_beyond(records_, board(), wanted(id), judgement(gain), left_out).ok());
  }
  // As if what was measured in the last 24 hours had been measured then.
  void date_back(const std::string& at) {
    sample::database(records_).exec(
        fmt::format("UPDATE beyond_gains SET measured_at = '{}' WHERE measured_at > "
                    "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day')",
                    at));
  }
  EntryBeyond beyond(std::int64_t id) {
    const auto all = *read_beyond(records_, board_);
    const auto found = std::ranges::find(all, id, &EntryBeyond::submission_id);
    return found == all.end() ? EntryBeyond{} : *found;
  }
  void give_features(std::int64_t id, const std::string& digest) {
    sample::database(records_).exec(
        fmt::format("INSERT OR REPLACE INTO judgement_features VALUES ({}, '{}')", id, digest));
  }
};

TEST_F(Beyond, AnEntryAloneHasNoOthers) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  EXPECT_THAT(wanted(), IsEmpty());
  EXPECT_EQ(beyond(one).submission_id, one);
  EXPECT_EQ(beyond(one).num_others, 0u);
  EXPECT_FALSE(beyond(one).gain);
}

TEST_F(Beyond, OthersAreAllEntriesWithFeaturesOfTheirOwn) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(ada_, "two", "1.0.0", 2),
                     three = published(eve_, "three", "1.0.0", 3), copy = published(eve_, "copy", "1.0.0", 1);
  give_features(one, "same");
  give_features(copy, "same");
  EXPECT_THAT(wanted(), ElementsAre(WantedBeyond{one, {two, three}, ""}, WantedBeyond{two, {one, three}, ""},
                                    WantedBeyond{three, {one, two}, ""}))
      << "those of its contributor too; copies neither stand there nor are measured";
  EXPECT_EQ(beyond(copy).submission_id, 0);
  EXPECT_EQ(beyond(one).num_others, 2u);
  // The present version of each, on this version of the board.
  const std::int64_t newer = published(eve_, "three", "1.1.0", 3);
  EXPECT_EQ(wanted(one).others, (std::vector<std::int64_t>{two, newer}));
  const std::int64_t former = board_;
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 16});
  EXPECT_THAT(wanted(), IsEmpty());
  board_ = former;
  ASSERT_TRUE(remove_submission(records_, two, "not theirs").ok());
  EXPECT_EQ(wanted(one).others, std::vector<std::int64_t>{newer});
}

TEST_F(Beyond, IsMeasuredOnceBesideTheSameOthersAndAtMostOnceADay) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(eve_, "two", "1.0.0", 2);
  const std::int64_t revision = board().revision;
  keep(one, .5);
  EXPECT_GT(board().revision, revision);
  EXPECT_THAT(wanted_ids(), ElementsAre(two));
  keep(two, 1.5);
  EXPECT_THAT(wanted(), IsEmpty());
  ASSERT_TRUE(beyond(one).gain);
  EXPECT_EQ(beyond(one).gain->gain, .5);
  EXPECT_EQ(beyond(one).gain->num_others, 1u);
  EXPECT_EQ(beyond(one).gain->num_left_out, 0u);
  EXPECT_TRUE(beyond(one).gain->is_current);
  // Others by now: what was measured stays until it is measured again, which waits for a day.
  const std::int64_t three = published(eve_, "three", "1.0.0", 3);
  EXPECT_EQ(beyond(one).gain->gain, .5);
  EXPECT_FALSE(beyond(one).gain->is_current);
  EXPECT_EQ(beyond(one).num_others, 2u);
  EXPECT_THAT(wanted_ids(), ElementsAre(three)) << "it has none yet";
  date_back("2026-01-01T00:00:00Z");
  EXPECT_THAT(wanted_ids(), ElementsAre(three, one, two));
  keep(one, .25, {three});
  EXPECT_EQ(beyond(one).gain->gain, .25);
  EXPECT_EQ(beyond(one).gain->num_others, 1u);
  EXPECT_EQ(beyond(one).gain->num_left_out, 1u);
  EXPECT_TRUE(beyond(one).gain->is_current);
  // Those that were there before: what was measured beside them holds again.
  ASSERT_TRUE(remove_submission(records_, three, "not theirs").ok());
  EXPECT_EQ(beyond(one).gain->gain, .5);
  EXPECT_TRUE(beyond(one).gain->is_current);
  EXPECT_THAT(wanted(), IsEmpty());
}

TEST_F(Beyond, WhatWasNeverMeasuredComesFirstThenTheOldest) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(ada_, "two", "1.0.0", 2),
                     three = published(eve_, "three", "1.0.0", 3);
  EXPECT_THAT(wanted_ids(), ElementsAre(one, two, three));
  keep(one, 1);
  date_back("2026-01-03T00:00:00Z");
  keep(three, 1);
  date_back("2026-01-01T00:00:00Z");
  keep(two, 1);
  date_back("2026-01-02T00:00:00Z");
  const std::int64_t four = published(eve_, "four", "1.0.0", 4);
  EXPECT_THAT(wanted_ids(), ElementsAre(four, three, two, one));
  EXPECT_EQ(wanted(three).measured_at, "2026-01-01T00:00:00Z");
  keep(three, 1);
  EXPECT_THAT(wanted_ids(), ElementsAre(four, two, one));
  // A new version was never measured.
  const std::int64_t newer = published(ada_, "one", "1.1.0", 1);
  EXPECT_THAT(wanted_ids(), ElementsAre(four, newer, two));
}

// Two runners that have nothing else to do measure the same.
TEST_F(Beyond, IsToldOnceWhereTwoMeasuredIt) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1), two = published(eve_, "two", "1.0.0", 2);
  const WantedBeyond wanted_one = wanted(one), wanted_two = wanted(two);
  ASSERT_TRUE(keep_beyond(records_, board(), wanted_one, judgement(4), {}).ok());
  const std::size_t num_answers = read_told(records_, board())->answers.size();
  const std::int64_t revision = board().revision;
  ASSERT_TRUE(keep_beyond(records_, board(), wanted_one, judgement(4), {}).ok());
  EXPECT_EQ(read_told(records_, board())->answers.size(), num_answers);
  EXPECT_EQ(board().revision, revision);
  // An entry that has gone meanwhile is told nothing of.
  ASSERT_TRUE(remove_submission(records_, two, "not theirs").ok());
  ASSERT_TRUE(keep_beyond(records_, board(), wanted_two, judgement(4), {}).ok());
  EXPECT_EQ(read_told(records_, board())->answers.size(), num_answers);
}

TEST_F(Beyond, OfAFormerProcedureIsNotTold) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  published(eve_, "two", "1.0.0", 3);
  keep(one, 4);
  sample::database(records_).exec("UPDATE beyond_gains SET procedure = procedure - 1");
  EXPECT_FALSE(beyond(one).gain);
  EXPECT_EQ(wanted(one).measured_at, "") << "it is measured again, at once";
}

TEST_F(Beyond, WhatLeavesNothingToLearnHasNoGain) {
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  published(eve_, "two", "1.0.0", 3);
  Judgement nothing = judgement(4);
  nothing.finding = kNothingToLearn;
  ASSERT_TRUE(keep_beyond(records_, board(), wanted(one), nothing, {}).ok());
  EXPECT_FALSE(beyond(one).gain->is_told());
}

// Beside the same others an entry is on a Ladder of its own; beside others the question is another one, whose
// answer may be lower. Each is counted.
TEST_F(Beyond, OnALadderIsToldInSteps) {
  board_ = *put_board(records_, {0, "digits", "dataset: {name: digits}", 8, 2});
  const std::int64_t one = published(ada_, "one", "1.0.0", 1);
  published(eve_, "two", "1.0.0", 3);
  keep(one, 4.7);
  EXPECT_EQ(beyond(one).gain->gain, 4);
  const std::int64_t newer = published(ada_, "one", "1.1.0", 1);
  keep(newer, 5.9);
  EXPECT_EQ(beyond(newer).gain->gain, 4) << "no step better";
  const std::int64_t newest = published(ada_, "one", "1.2.0", 1);
  keep(newest, 6.1);
  EXPECT_EQ(beyond(newest).gain->gain, 6);
  published(eve_, "three", "1.0.0", 3);
  date_back("2026-01-01T00:00:00Z");
  keep(newest, .3);
  EXPECT_EQ(beyond(newest).gain->gain, 0) << "what it adds beside them, and not what it once added";
  const std::vector<ReleasedAnswer> answers = read_told(records_, board())->answers;
  ASSERT_EQ(answers.size(), 9u) << "five submissions and four beside others";
  const std::vector<std::size_t> pools = read_told(records_, board())->pools;
  EXPECT_THAT(pools, ElementsAre(1u, 1u, 1u, 2u));
  std::vector<double> best;
  for (const std::size_t i : {2u, 4u, 6u, 8u}) {
    EXPECT_EQ(answers[i].step, 2) << i;
    EXPECT_TRUE(answers[i].is_stepped) << i;
    best.push_back(answers[i].best.value_or(-1));
  }
  EXPECT_THAT(best, ElementsAre(-1, 4, 4, -1));
}

// A server of the version before.
TEST_F(Beyond, EntriesOfAnOlderSchemaAreMeasuredFirst) {
  sample::Folder folder;
  {
    const auto step = std::ranges::find(migrations(), kBeyondSql, &Migration::sql);
    const auto steps = migrations().first(std::size_t(step - migrations().begin()));
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& before : steps) old.exec(before.sql);
    old.exec(
        fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", steps.back().number));
    old.exec("INSERT INTO users (name, role) VALUES ('ada', 'contributor')");
    old.exec(
        "INSERT INTO boards (name, version, experiment, num_seeds, ladder_step) VALUES ('digits', 1, '', 8, "
        "0)");
    for (const char* heuristic : {"rows", "holes"}) {
      old.exec(fmt::format(
          "INSERT INTO submissions (user_id, board_id, file_name, source_sha256, licence, source, heuristic, "
          "version, state) VALUES (1, 1, 'a.cpp', 's', 'MIT', 'int a;', '{}', '1.0.0', 'published')",
          heuristic));
      old.exec(
          "INSERT INTO judgements (submission_id, gain, standard_error, low, high, num_seeds, finding, "
          "released_gain, released_standard_error, released_low, released_high, released_num_seeds, "
          "released_finding, microseconds, num_features, report_html, report_json) SELECT MAX(id), 3, 0.4, "
          "2, 4, 8, 'adds', 3, 0.4, 2, 4, 8, 'adds', 1, 1, '', '' FROM submissions");
    }
  }
  const Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_THAT(*read_wanted_beyond(*records, 1),
              ElementsAre(WantedBeyond{1, {2}, ""}, WantedBeyond{2, {1}, ""}));
  EXPECT_EQ(read_beyond(*records, 1)->size(), 2u);
  EXPECT_EQ(sample::database(*records).execAndGet("SELECT COUNT(*) FROM pragma_foreign_key_check").getInt(),
            0);
}

}  // namespace
}  // namespace mash
