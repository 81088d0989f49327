// SPDX-License-Identifier: Apache-2.0
#include "framework/records/records.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "framework/records/experiment_runs.hpp"
#include "framework/records/run_record.hpp"
#include "framework/records/test_errors.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

class RecordsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  // SQLite's connections do not survive a fork: tests that fork close theirs first.
  void reopen() {
    records_.reset();
    SetUp();
  }

  SQLite::Column get(const std::string& query) { return sample::database(*records_).execAndGet(query); }
  std::int64_t count(const std::string& table) { return get("SELECT COUNT(*) FROM " + table).getInt64(); }
  std::string status(std::int64_t id) {
    return get("SELECT status FROM experiments WHERE id = " + std::to_string(id)).getString();
  }
  std::int64_t begin(const RunStart& start) {
    const auto id = records_->begin(start, data_, families_);
    EXPECT_TRUE(id.ok()) << (id.ok() ? "" : id.error().message);
    return id.ok() ? *id : -1;
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset();
  std::vector<FamilyRow> families_ = {sample::family("hog"), sample::family("lbp", "Bob", 32)};
  std::unique_ptr<Records> records_;
};

TEST_F(RecordsTest, KeepsWhatIsKnownAtTheStart) {
  RunStart start = sample::start("mnist-laminating", 7);
  families_[1].num_faults = 2;
  families_[1].first_faults = {{"compute", "returned NaN for feature 3"}};
  const std::int64_t id = begin(start);
  EXPECT_EQ(status(id), "running");
  SQLite::Statement row(
      sample::database(*records_),
      "SELECT name, seed, rounds, cpu, pid, configuration, started_at, ended_at FROM experiments");
  ASSERT_TRUE(row.executeStep());
  EXPECT_EQ(row.getColumn(0).getString(), "mnist-laminating");
  EXPECT_EQ(row.getColumn(1).getInt64(), 7);
  EXPECT_EQ(row.getColumn(2).getInt64(), 10);
  EXPECT_EQ(row.getColumn(3).getString(), "A CPU");
  EXPECT_EQ(row.getColumn(4).getInt64(), ::getpid());
  EXPECT_EQ(row.getColumn(5).getString(), start.configuration);
  EXPECT_THAT(row.getColumn(6).getString(), ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_TRUE(row.getColumn(7).isNull());
  EXPECT_EQ(get("SELECT name FROM classes WHERE class_idx = 2").getString(), "two & <more>");
  EXPECT_EQ(get("SELECT num_bytes FROM dataset_files WHERE path = 'toy/test.idx'").getInt(), 96);
  EXPECT_EQ(get("SELECT dim FROM families WHERE family_idx = 1").getInt(), 32);
  EXPECT_EQ(get("SELECT author FROM heuristics WHERE name = 'lbp'").getString(), "Bob");
  EXPECT_EQ(get("SELECT message FROM faults WHERE family_idx = 1").getString(), "returned NaN for feature 3");
}

TEST_F(RecordsTest, KeepsRoundsCurveUseAndPredictions) {
  const std::int64_t id = begin(sample::start());
  const auto recorder = records_->recorder(id);
  for (std::uint32_t i = 1; i <= 10; ++i) recorder->on_round(sample::round(i, i % 2));
  recorder->on_curve({1, -0.1, 0.3, 0.4, 100, 0.15});
  const TrainingResult result = sample::result(data_, {sample::use(1.5, 4), sample::use(0.5, 6)}, 2);
  const Status finished = records_->finish(id, result, {2.5, 3.5, 4096}, data_);
  ASSERT_TRUE(finished.ok()) << finished.error().message;

  EXPECT_EQ(status(id), "complete");
  EXPECT_EQ(count("rounds"), 10);
  EXPECT_DOUBLE_EQ(get("SELECT SUM(train_loss_log10) FROM rounds").getDouble(), -0.55);
  EXPECT_EQ(get("SELECT cost FROM rounds WHERE round = 7").getInt64(), 700);
  EXPECT_EQ(count("curve"), 4);
  EXPECT_EQ(get("SELECT chosen FROM families WHERE family_idx = 1").getInt64(), 6);
  EXPECT_EQ(get("SELECT fe FROM experiments").getInt64(), 1000);
  EXPECT_EQ(get("SELECT peak_memory_bytes FROM experiments").getInt64(), 4096);
  EXPECT_DOUBLE_EQ(get("SELECT train_loss_log10 FROM experiments").getDouble(), -1);
  EXPECT_DOUBLE_EQ(get("SELECT test_error FROM experiments").getDouble(), 2.0 / 6);
  EXPECT_EQ(count("predictions"), 6);
  // Example 1 is a "one" taken for a "two": f = (0, 0, 1), sum of |alpha| = 2, so the margin is (0 - 1) / 4.
  EXPECT_EQ(get("SELECT predicted FROM predictions WHERE example_idx = 1").getInt(), 2);
  EXPECT_DOUBLE_EQ(get("SELECT margin FROM predictions WHERE example_idx = 1").getDouble(), -0.25);
  EXPECT_DOUBLE_EQ(get("SELECT margin FROM predictions WHERE example_idx = 5").getDouble(), 0.5);
}

TEST_F(RecordsTest, StatusSaysHowTrainingEnded) {
  for (const TrainingStatus ended : {TrainingStatus::kComplete, TrainingStatus::kNoWeakLearner,
                                     TrainingStatus::kSeparated, TrainingStatus::kStopped}) {
    const std::int64_t id = begin(sample::start(std::string(to_string(ended))));
    TrainingResult result = sample::result(data_, {sample::use(), sample::use()}, 0);
    result.status = ended;
    ASSERT_TRUE(records_->finish(id, result, {}, data_).ok());
    EXPECT_EQ(status(id), to_string(ended));
  }
  EXPECT_EQ(to_string(TrainingStatus::kStopped), "stopped") << "the views know this word";
  EXPECT_EQ(count("finished"), 3) << "stopped runs are not ranked";
}

TEST_F(RecordsTest, ValuesOutOfTheOrdinaryAreKept) {
  RunStart start = sample::start();
  start.seed = std::numeric_limits<std::uint64_t>::max();
  const std::int64_t id = begin(start);
  RoundEvent event = sample::round(1);
  event.cuts[0].threshold = -std::numeric_limits<float>::infinity();
  event.edge = std::numeric_limits<double>::quiet_NaN();
  records_->recorder(id)->on_round(event);
  EXPECT_EQ(static_cast<std::uint64_t>(get("SELECT seed FROM experiments").getInt64()), start.seed);
  EXPECT_EQ(get("SELECT threshold FROM cuts").getDouble(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(get("SELECT edge FROM rounds").isNull());
}

TEST_F(RecordsTest, ADatasetIsStoredOnceAndAnotherSplitOfItAgain) {
  begin(sample::start("a"));
  begin(sample::start("b"));
  EXPECT_EQ(count("datasets"), 1);
  EXPECT_EQ(count("classes"), 3);
  data_ = sample::dataset(6, "f1");
  begin(sample::start("c"));
  EXPECT_EQ(count("datasets"), 2);
}

TEST_F(RecordsTest, ARebuiltPluginIsAnotherHeuristic) {
  begin(sample::start("a"));
  families_[0].heuristic.plugin = "moved/hog.so";
  begin(sample::start("b"));
  EXPECT_EQ(count("heuristics"), 2) << "the same file elsewhere";
  EXPECT_EQ(get("SELECT plugin FROM heuristics WHERE name = 'hog'").getString(), "moved/hog.so");
  families_[0].heuristic.plugin_sha256 = std::string(64, 'd');
  begin(sample::start("c"));
  EXPECT_EQ(count("heuristics"), 3);
}

TEST_F(RecordsTest, ARerunAfterAStopReusesTheRowAndEmptiesIt) {
  const std::int64_t first = begin(sample::start());
  const auto recorder = records_->recorder(first);
  for (std::uint32_t i = 1; i <= 10; ++i) recorder->on_round(sample::round(i));
  TrainingResult stopped = sample::result(data_, {sample::use(), sample::use()}, 1);
  stopped.status = TrainingStatus::kStopped;
  ASSERT_TRUE(records_->finish(first, stopped, {}, data_).ok());

  families_.pop_back();
  EXPECT_EQ(begin(sample::start()), first);
  EXPECT_EQ(status(first), "running");
  EXPECT_EQ(count("experiments"), 1);
  for (const char* table : {"rounds", "curve", "predictions"}) EXPECT_EQ(count(table), 0) << table;
  EXPECT_EQ(count("families"), 1);
  EXPECT_TRUE(get("SELECT test_error FROM experiments").isNull());
}

TEST_F(RecordsTest, ResumedRoundsReplaceThoseThatAreThere) {
  const std::int64_t id = begin(sample::start());
  for (std::uint32_t i = 1; i <= 5; ++i) records_->recorder(id)->on_round(sample::round(i));
  RoundEvent again = sample::round(3);
  again.alpha = 9;
  records_->recorder(id)->on_round(again);
  EXPECT_EQ(count("rounds"), 5);
  EXPECT_EQ(get("SELECT alpha FROM rounds WHERE round = 3").getDouble(), 9);
}

TEST_F(RecordsTest, AFinishedRunIsKeptAndTheLatestOfItsKeyCounts) {
  const auto first =
      sample::record(*records_, sample::start(), data_, families_, {sample::use(), sample::use()}, 1);
  const auto second =
      sample::record(*records_, sample::start(), data_, families_, {sample::use(), sample::use()}, 2);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(*first, *second);
  EXPECT_EQ(count("experiments"), 2);
  EXPECT_EQ(count("finished"), 1);
  EXPECT_EQ(get("SELECT id FROM finished").getInt64(), *second);
}

// Begins an experiment in a process of its own, which then waits to be killed. Returns its process number.
pid_t begin_elsewhere(const std::filesystem::path& path, const Dataset& data,
                      const std::vector<FamilyRow>& families) {
  int ready[2];
  if (::pipe(ready) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    Result<Records> records = Records::open(path);
    const char done = records.ok() && records->begin(sample::start(), data, families).ok() ? 'y' : 'n';
    if (::write(ready[1], &done, 1) == 1) ::pause();
    ::_exit(1);
  }
  char done = 'n';
  if (::read(ready[0], &done, 1) != 1 || done != 'y') return -1;
  ::close(ready[0]);
  ::close(ready[1]);
  return child;
}

TEST_F(RecordsTest, ARunOfALivingProcessIsLeftAlone) {
  records_.reset();
  const pid_t child = begin_elsewhere(folder_ / "mash.db", data_, families_);
  ASSERT_GT(child, 0);
  reopen();
  const std::int64_t ours = begin(sample::start());
  EXPECT_EQ(ours, 2);
  EXPECT_EQ(status(1), "running");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(RecordsTest, ARunOfADeadProcessIsInterruptedAndItsRowReused) {
  records_.reset();
  const pid_t child = begin_elsewhere(folder_ / "mash.db", data_, families_);
  ASSERT_GT(child, 0);
  reopen();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(begin(sample::start("another")), 2);
  EXPECT_EQ(status(1), "interrupted");
  EXPECT_EQ(begin(sample::start()), 1);
  EXPECT_EQ(status(1), "running");
}

TEST_F(RecordsTest, FindsTheLatestThatEndedByItself) {
  const TrainingResult result = sample::result(data_, {sample::use(), sample::use()}, 0);
  const std::string key = sample::start().run_key;
  EXPECT_FALSE(records_->find_finished(key)->has_value());
  ASSERT_TRUE(records_->finish(begin(sample::start()), result, {}, data_).ok());
  ASSERT_TRUE(records_->finish(begin(sample::start()), result, {}, data_).ok());
  begin(sample::start());  // running
  EXPECT_EQ(*records_->find_finished(key), 2);
}

TEST_F(RecordsTest, KeepsHowASettingWasTuned) {
  const TrainingResult result = sample::result(data_, {sample::use(), sample::use()}, 0);
  RunEnd end;
  end.tuning = {"scale", "64", 12, 1000, 2.5};
  ASSERT_TRUE(records_->finish(begin(sample::start()), result, end, data_).ok());
  ASSERT_TRUE(records_->finish(begin(sample::start("untuned")), result, {}, data_).ok());
  EXPECT_EQ(get("SELECT tuned_setting || tuned_value || num_tunings || ' ' || tuning_fe || ' ' || "
                "tuning_seconds FROM "
                "experiments WHERE id = 1")
                .getString(),
            "scale6412 1000 2.5");
  EXPECT_TRUE(get("SELECT tuned_setting FROM experiments WHERE id = 2").isNull());
}

TEST_F(RecordsTest, FaultsAtTheEndReplaceThoseAtTheStart) {
  families_[1].num_faults = 1;
  families_[1].first_faults = {{"compute", "before"}};
  const std::int64_t id = begin(sample::start());
  families_[0].num_faults = 7;
  families_[0].first_faults = {{"compute", "feature 3"}};
  families_[1].first_faults = {{"compute", "after"}};
  RunEnd end;
  end.families = families_;
  const TrainingResult result = sample::result(data_, {sample::use(), sample::use()}, 0);
  ASSERT_TRUE(records_->finish(id, result, end, data_).ok());
  EXPECT_EQ(get("SELECT GROUP_CONCAT(num_faults) FROM families").getString(), "7,1");
  EXPECT_EQ(
      get("SELECT GROUP_CONCAT(message) FROM (SELECT message FROM faults ORDER BY family_idx)").getString(),
      "feature 3,after");
}

TEST_F(RecordsTest, ResultsThatDoNotFitAreRefusedAndNothingIsStored) {
  const std::int64_t id = begin(sample::start());
  const TrainingResult good = sample::result(data_, {sample::use(), sample::use()}, 0);
  TrainingResult bad = good;
  bad.families.pop_back();
  EXPECT_THAT(records_->finish(id, bad, {}, data_).error().message,
              HasSubstr("has 2 families, its result 1"));
  bad = good;
  bad.test_scores.pop_back();
  EXPECT_THAT(records_->finish(id, bad, {}, data_).error().message, HasSubstr("has 17 test scores"));
  EXPECT_THAT(records_->finish(id, good, {}, sample::dataset(6, "other")).error().message,
              HasSubstr("another data set"));
  EXPECT_THAT(records_->finish(id + 1, good, {}, data_).error().message, HasSubstr("is not in the database"));
  EXPECT_EQ(status(id), "running");
  EXPECT_EQ(count("predictions"), 0);
}

TEST_F(RecordsTest, ARecorderOfNoExperimentIsReportedByFinish) {
  records_->recorder(5)->on_round(sample::round(1));
  const Status finished = records_->finish(5, sample::result(data_, {}, 0), {}, data_);
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(finished.error().message, HasSubstr("SQLite's code 787"));
}

TEST_F(RecordsTest, ARecorderOutlivesAMove) {
  const std::int64_t id = begin(sample::start());
  auto recorder = records_->recorder(id);
  const Records moved = std::move(*records_);
  recorder->on_round(sample::round(1));
  recorder.reset();
  SQLite::Database reader(folder_ / "mash.db");
  EXPECT_EQ(reader.execAndGet("SELECT COUNT(*) FROM rounds").getInt(), 1);
}

TEST_F(RecordsTest, DeletingAnExperimentTakesAllOfItsRows) {
  ASSERT_TRUE(
      sample::record(*records_, sample::start(), data_, families_, {sample::use(), sample::use()}, 1).ok());
  sample::database(*records_).exec("DELETE FROM experiments");
  for (const char* table : {"families", "rounds", "curve", "predictions"})
    EXPECT_EQ(count(table), 0) << table;
  EXPECT_EQ(count("datasets"), 1);
}

TEST_F(RecordsTest, TestErrorsAfterEveryRoundAreReadBackAsTheyWere) {
  const std::int64_t id = begin(sample::start());
  EXPECT_TRUE(read_test_errors(*records_, id)->empty());
  ASSERT_TRUE(put_test_errors(*records_, id, std::vector<RoundError>{{.5, 1}, {.25, 2}, {.125, 3}}).ok());
  const std::vector<RoundError> fewer{{.75, 1.5}, {1.0 / 3, 2.5}};
  ASSERT_TRUE(put_test_errors(*records_, id, fewer).ok());
  const auto read = read_test_errors(*records_, id);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 2u) << "what was there is replaced";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*read)[i].test_error, fewer[i].test_error);
    EXPECT_EQ((*read)[i].seconds, fewer[i].seconds);
  }
  EXPECT_FALSE(put_test_errors(*records_, id + 1, fewer).ok()) << "there is no such run";
  EXPECT_EQ(count("test_errors"), 2);
}

TEST_F(RecordsTest, PhasesOfTrainingAreKept) {
  const std::int64_t id = begin(sample::start());
  TrainingResult result = sample::result(data_, {sample::use(), sample::use()}, 1);
  result.meters.phases = {.draw = 0.5, .weigh = 0.25, .gather = 2, .scan = 3, .refit = 0.125, .update = 1};
  ASSERT_TRUE(records_->finish(id, result, {2.5, 3.5, 1u << 20}, data_).ok());
  EXPECT_EQ(count("phases"), 6);
  EXPECT_EQ(
      sample::database(*records_).execAndGet("SELECT seconds FROM phases WHERE phase = 'gather'").getDouble(),
      2);
  EXPECT_EQ(
      sample::database(*records_).execAndGet("SELECT seconds FROM phases WHERE phase = 'refit'").getDouble(),
      0.125);
}

TEST_F(RecordsTest, KeepsTheSettingsOfRunsAndTrialsApart) {
  RunStart start = sample::start();
  start.settings = {{"sampler.budget", "10", true},
                    {"booster.rounds", "20", false},
                    {"dataset.name", "digits", false},
                    {"dataset.pose", "1", true}};
  const auto run = sample::record(*records_, start, data_, families_, {sample::use(), sample::use()}, 1);
  start.trial = true;
  start.run_key = "of the trial";
  start.settings = {{"sampler.budget", "5", false}};
  const auto trial = sample::record(*records_, start, data_, families_, {sample::use(), sample::use()}, 1);
  ASSERT_TRUE(run.ok() && trial.ok());
  const auto read = read_settings(*records_, std::vector{*run, *trial, std::int64_t(99)});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)[0],
            (SettingsOfRun{{"booster.rounds", "20"}, {"dataset.name", "digits"}, {"sampler.budget", "10"}}))
      << "no default of the data set";
  EXPECT_EQ((*read)[1], (SettingsOfRun{{"sampler.budget", "5"}}));
  EXPECT_TRUE((*read)[2].empty());
  SQLite::Database& database = sample::database(*records_);
  EXPECT_EQ(database.execAndGet("SELECT group_concat(key) FROM run_settings").getString(),
            "booster.rounds,dataset.name,dataset.pose,sampler.budget");
  EXPECT_EQ(database.execAndGet("SELECT group_concat(value) FROM trial_settings").getString(), "5");
  database.exec("DELETE FROM experiments");
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM settings").getInt(), 0) << "they go with their run";
}

// Side and place of pictures that have a file each; the names of the test side as a view.
TEST(JudgingSide, IsTheValidationSideWhereThatWasAskedFor) {
  EXPECT_EQ(judging_side({}), "test") << "of runs that earlier versions recorded";
  EXPECT_EQ(judging_side({{"dataset.validation", "0"}, {"dataset.test_side", "auto"}}), "test");
  EXPECT_EQ(judging_side({{"dataset.validation", "0.2"}}), "validation");
  EXPECT_EQ(judging_side({{"dataset.validation", "0"}, {"dataset.test_side", "validation"}}), "validation");
}

TEST_F(RecordsTest, ARunSaysWhichSideJudgedIt) {
  RunStart start = sample::start();
  start.settings = {{"dataset.validation", "0.2", false}};
  const auto of_validation = records_->begin(start, sample::dataset(), std::vector{sample::family("hog")});
  const auto of_test =
      records_->begin(sample::start("other", 2), sample::dataset(), std::vector{sample::family("hog")});
  ASSERT_TRUE(of_validation.ok() && of_test.ok());
  EXPECT_EQ(read_run(*records_, *of_validation)->data.judging_side, "validation");
  EXPECT_EQ(read_run(*records_, *of_test)->data.judging_side, "test");
}

TEST(PictureNames, AreColumnsOfTheirFiles) {
  sample::Folder folder;
  Records records = *Records::open(folder / "mash.db");
  Dataset data = sample::dataset(2);
  data.sources = {{"p/list.txt", "", 1},
                  {"p/cat/1.png", "", 1, "cat/1.png"},
                  {"p/dog/2.png", "", 1, "dog/2.png"},
                  {"p/cat/3.png", "", 1, "cat/3.png"}};
  data.train = {1, {}, {}, {}};
  data.train.files = {3};
  data.test.files = {2, 1};
  data.test.rows.clear();
  ASSERT_TRUE(
      sample::record(records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 1).ok());
  const auto answer = [&](const char* query) {
    return sample::database(records).execAndGet(query).getString();
  };
  EXPECT_EQ(answer("SELECT group_concat(name || COALESCE(' ' || split || ' ' || example_idx, '')) FROM "
                   "(SELECT * FROM dataset_files ORDER BY file_idx)"),
            "list.txt,cat/1.png test 1,dog/2.png test 0,cat/3.png train 0");
  EXPECT_EQ(answer("SELECT name FROM test_names t JOIN predictions p USING (example_idx) "
                   "WHERE p.predicted <> p.label"),
            "dog/2.png");
  const auto record = read_run(records, 1);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->data.files[1].name, "cat/1.png");
}

TEST(TestScores, AreKeptOfRunsAndNotOfTrials) {
  sample::Folder folder;
  Records records = *Records::open(folder / "mash.db");
  const Dataset data = sample::dataset();
  ASSERT_TRUE(
      sample::record(records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 1).ok());
  RunStart trial = sample::start("trial");
  trial.trial = true;
  const auto trial_id = sample::record(records, trial, data, {sample::family("hog")}, {sample::use()}, 1);
  ASSERT_TRUE(trial_id.ok());
  const auto scores = read_test_scores(records, 1);
  ASSERT_TRUE(scores.ok());
  ASSERT_EQ(scores->size(), 18u);
  EXPECT_THAT(std::vector<float>(scores->begin(), scores->begin() + 6),
              ::testing::ElementsAre(0, 0.5f, 0, 0, 2, 0));
  EXPECT_TRUE(read_test_scores(records, *trial_id)->empty());
  EXPECT_TRUE(read_test_scores(records, 99)->empty());
}

}  // namespace
}  // namespace mash
