// SPDX-License-Identifier: Apache-2.0
#include "framework/records/kept_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framework/base/random.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KeptRuns : public ::testing::Test {
 protected:
  // A finished run, or trial, of that seed on the data set of that name.
  std::int64_t record(std::uint64_t seed, bool is_trial = false, const std::string& dataset = "toy") {
    Dataset data = sample::dataset(6, "f-" + dataset);
    data.name = dataset;
    RunStart start = sample::start(is_trial ? "trial" : "demo", seed);
    start.trial = is_trial;
    const auto id =
        sample::record(records_, start, data, {sample::family("hog on " + dataset)}, {sample::use()}, 2);
    EXPECT_TRUE(id.ok()) << id.error().message;
    return *id;
  }
  std::vector<std::int64_t> numbers(const RunChoice& choice = {}) {
    std::vector<std::int64_t> numbers;
    const auto runs = list_runs(records_, choice);
    for (const KeptRun& run : *runs) numbers.push_back(run.number);
    return numbers;
  }
  std::int64_t count(const std::string& table) {
    return sample::database(records_).execAndGet("SELECT COUNT(*) FROM " + table).getInt64();
  }
  void end_ago(std::int64_t id, int days) {
    sample::database(records_).exec(fmt::format(
        "UPDATE experiments SET ended_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-{} days') WHERE id = {}",
        days, id));
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
};

TEST_F(KeptRuns, CountRunsAndTrialsApart) {
  EXPECT_EQ(record(1, true), -1);
  EXPECT_EQ(record(2, true), -2);
  EXPECT_EQ(record(1), 1) << "the first run of a new user is experiment 1";
  EXPECT_EQ(record(3, true), -3);
  EXPECT_EQ(record(2), 2);
  EXPECT_THAT(numbers(), ElementsAre(1, 2));
  EXPECT_THAT(numbers({.trials = true}), ElementsAre(1, 2, 3));
  EXPECT_EQ(*count_runs(records_, true), 3u);
}

// A trial of all families has the key of the run whose families they are.
TEST_F(KeptRuns, RunsAndTrialsOfOneKeyTakeNothingFromEachOther) {
  const Dataset data = sample::dataset();
  RunStart run = sample::start("demo", 1), trial = run;
  trial.trial = true;
  const std::vector families{sample::family("hog")};
  const std::int64_t of_run = *records_.begin(run, data, families);
  sample::database(records_).exec("UPDATE experiments SET status = 'stopped'");
  const std::int64_t of_trial = *records_.begin(trial, data, families);
  EXPECT_EQ(of_run, 1);
  EXPECT_EQ(of_trial, -1);
  sample::database(records_).exec("UPDATE experiments SET status = 'stopped'");
  EXPECT_EQ(*records_.begin(run, data, families), 1) << "each goes on with its own";
  EXPECT_EQ(*records_.begin(trial, data, families), -1);
  sample::database(records_).exec("UPDATE experiments SET status = 'stopped'");
  ASSERT_TRUE(prune_runs(records_, {.trials = true, .numbers = {1}}).ok());
  EXPECT_THAT(numbers(), ElementsAre(1));
  EXPECT_THAT(numbers({.trials = true}), IsEmpty());
}

TEST_F(KeptRuns, TheLatestTrialOfAKeyIsTheFinishedOne) {
  record(1, true);
  record(2, true);
  const std::int64_t again = record(1, true);
  EXPECT_EQ(*records_.find_finished("trial-1"), again);
  EXPECT_EQ(sample::database(records_)
                .execAndGet("SELECT MIN(id) FROM finished WHERE run_key = 'trial-1'")
                .getInt64(),
            again);
  EXPECT_EQ(count("finished WHERE trial = 1"), 2);
}

TEST_F(KeptRuns, AreListedWithWhatTheyWere) {
  record(7);
  const KeptRun run = list_runs(records_, {})->at(0);
  EXPECT_EQ(run.name, "demo");
  EXPECT_EQ(run.dataset, "toy");
  EXPECT_EQ(run.booster->sampler, "laminating");
  EXPECT_EQ(run.booster->rounds, 10);
  EXPECT_EQ(run.num_rounds, 10);
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.status, "complete");
  ASSERT_TRUE(run.test_error.has_value());
  EXPECT_DOUBLE_EQ(*run.test_error, 2.0 / 6);
  EXPECT_FALSE(run.pid.has_value());
}

TEST_F(KeptRuns, HaveDoneNoRoundsBeforeTheirEnd) {
  ASSERT_TRUE(
      records_.begin(sample::start("demo", 1), sample::dataset(), std::vector{sample::family("hog")}).ok());
  EXPECT_FALSE(list_runs(records_, {})->at(0).num_rounds);
}

TEST_F(KeptRuns, GoByNumberWithAllThatHangsOnThem) {
  record(1, false, "old");
  record(2, false, "new");
  const auto pruned = prune_runs(records_, {.numbers = {1}});
  ASSERT_TRUE(pruned.ok()) << pruned.error().message;
  EXPECT_THAT(numbers(), ElementsAre(2));
  for (const char* table : {"families", "rounds", "cuts", "curve", "predictions", "phases"})
    EXPECT_EQ(count(fmt::format("{} WHERE experiment_id = 1", table)), 0) << table;
  EXPECT_EQ(count("rounds"), 10);
  EXPECT_EQ(count("datasets WHERE name = 'old'"), 0) << "no run refers to it";
  EXPECT_EQ(count("heuristics"), 1);
  EXPECT_EQ(count("classes"), 3);
  EXPECT_FALSE(SQLite::Statement(sample::database(records_), "PRAGMA foreign_key_check").executeStep());
  EXPECT_EQ(record(3), 3) << "a number is given once";
}

TEST_F(KeptRuns, GoByDataSetAndAge) {
  record(1, false, "a");
  record(2, false, "b");
  record(3, false, "a");
  end_ago(1, 40);
  end_ago(2, 40);
  EXPECT_THAT(numbers({.older_than = std::chrono::hours(24 * 30)}), ElementsAre(1, 2));
  ASSERT_TRUE(prune_runs(records_, {.dataset = "a", .older_than = std::chrono::hours(24 * 30)}).ok());
  EXPECT_THAT(numbers(), ElementsAre(2, 3));
}

TEST_F(KeptRuns, TrialsGoAlone) {
  record(1);
  record(1, true);
  record(2, true);
  ASSERT_TRUE(prune_runs(records_, {.trials = true, .numbers = {2}}).ok());
  EXPECT_THAT(numbers({.trials = true}), ElementsAre(1));
  EXPECT_THAT(numbers(), ElementsAre(1));
}

TEST_F(KeptRuns, OfAnUnknownNumberOrDataSetAreAnError) {
  record(1);
  const auto number = prune_runs(records_, {.numbers = {1, 8}});
  ASSERT_FALSE(number.ok());
  EXPECT_EQ(number.error().kind, ErrorKind::kInput);
  EXPECT_THAT(number.error().message, HasSubstr("experiment 8"));
  EXPECT_THAT(numbers(), ElementsAre(1)) << "all or nothing";
  const auto dataset = list_runs(records_, {.dataset = "tyo"});
  ASSERT_FALSE(dataset.ok());
  EXPECT_THAT(dataset.error().message, ::testing::AllOf(HasSubstr("'tyo'"), HasSubstr("toy")));
}

TEST_F(KeptRuns, ThatAreBeingTrainedStay) {
  record(1);
  const Dataset data = sample::dataset();
  ASSERT_EQ(*records_.begin(sample::start("demo", 2), data, std::vector{sample::family("hog")}), 2);
  const auto all = prune_runs(records_, {});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->running.at(0).number, 2);
  EXPECT_EQ(all->running.at(0).pid, ::getpid());
  EXPECT_THAT(numbers(), ElementsAre(2));
  const auto named = prune_runs(records_, {.numbers = {2}});
  ASSERT_FALSE(named.ok());
  EXPECT_THAT(named.error().message, HasSubstr(fmt::format("process {}", ::getpid())));
}

TEST_F(KeptRuns, APlanChangesNothing) {
  record(1);
  EXPECT_EQ(plan_prune(records_, {})->removed.size(), 1u);
  EXPECT_THAT(numbers(), ElementsAre(1));
}

TEST_F(KeptRuns, GiveTheirSpaceBack) {
  const Dataset data = sample::dataset(20'000);
  ASSERT_TRUE(
      sample::record(records_, sample::start(), data, {sample::family("hog")}, {sample::use()}, 2).ok());
  record(2);
  const std::uint64_t full = *shrink_records(records_);
  ASSERT_TRUE(prune_runs(records_, {.numbers = {1}}).ok());
  EXPECT_LT(*shrink_records(records_), full / 2);
  EXPECT_THAT(numbers(), ElementsAre(2));
}

// Two thousand predictions a run, so that there are moments to be killed in.
TEST_F(KeptRuns, AreAllThereOrAllGoneAfterAKill) {
  RandomStream random(2, "test: moments to kill at");
  const Dataset data = sample::dataset(2'000);
  for (int attempt = 0; attempt < 15; ++attempt) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      ASSERT_TRUE(sample::record(records_, sample::start("demo", seed), data, {sample::family("hog")},
                                 {sample::use()}, 2)
                      .ok());
    const std::size_t num_before = numbers().size();
    const pid_t child = ::fork();
    if (child == 0) {
      Result<Records> records = Records::open(folder_ / "mash.db");
      if (!records.ok() || !prune_runs(*records, {}).ok() || !shrink_records(*records).ok()) ::_exit(1);
      ::_exit(0);
    }
    ::usleep(useconds_t(random.below(30'000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_THAT(numbers().size(), ::testing::AnyOf(num_before, 0u));
    EXPECT_EQ(count("predictions"), std::int64_t(2'000 * numbers().size()));
    EXPECT_EQ(sample::database(records_).execAndGet("PRAGMA integrity_check").getString(), "ok");
  }
}

}  // namespace
}  // namespace mash
