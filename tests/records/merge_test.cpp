// SPDX-License-Identifier: Apache-2.0
#include "framework/records/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "framework/records/internal/merged_tables.hpp"
#include "framework/records/internal/migrations/migrations.hpp"
#include "framework/records/kept_runs.hpp"
#include "framework/records/offers.hpp"
#include "framework/records/run_record.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Merging : public ::testing::Test {
 protected:
  fs::path file(const std::string& name) const { return folder_ / (name + ".db"); }

  std::int64_t record(const std::string& name, const std::string& experiment, std::uint64_t seed,
                      bool is_trial = false) const {
    Records records = *Records::open(file(name));
    RunStart start = sample::start(experiment, seed);
    start.trial = is_trial;
    start.settings = {{"sampler.budget", std::to_string(seed), false}};
    const auto id = sample::record(records, start, sample::dataset(6, "f-" + experiment),
                                   {sample::family("hog"), sample::family("only of " + experiment)},
                                   {sample::use(1), sample::use(2)}, seed % 5);
    EXPECT_TRUE(id.ok()) << id.error().message;
    return *id;
  }
  MergedRecords merge(const std::vector<std::string>& names, const std::string& into = "all") const {
    std::vector<fs::path> files;
    for (const std::string& name : names) files.push_back(file(name));
    const auto merged = merge_records(files, file(into));
    EXPECT_TRUE(merged.ok()) << merged.error().message;
    return *merged;
  }
  Error refusal(const fs::path& from, const std::string& into = "all") const {
    const auto merged = merge_records(std::vector{from}, file(into));
    EXPECT_FALSE(merged.ok());
    return merged.ok() ? Error{} : merged.error();
  }
  // "demo 1 as 3" of each run.
  std::vector<std::string> runs(const std::string& name, bool trials = false) const {
    std::vector<std::string> runs;
    const auto records = Records::open_read_only(file(name));
    const auto listed = list_runs(*records, {.trials = trials});
    for (const KeptRun& run : *listed)
      runs.push_back(fmt::format("{} {} as {}", run.name, run.seed, run.number));
    return runs;
  }
  std::string answer(const std::string& name, const std::string& query) const {
    return SQLite::Database(file(name).string()).execAndGet(query).getString();
  }
  void change(const std::string& name, const std::string& sql) const {
    SQLite::Database(file(name).string(), SQLite::OPEN_READWRITE).exec(sql);
  }

  sample::Folder folder_;
};

TEST_F(Merging, GivesNewNumbersInOrder) {
  record("a", "demo", 1);
  record("b", "other", 7, true);
  record("b", "other", 5);
  record("b", "other", 6);
  record("all", "here", 3);
  record("all", "here", 4, true);
  const MergedRecords merged = merge({"a", "b"});
  EXPECT_EQ(merged.num_runs, 3u);
  EXPECT_EQ(merged.num_trials, 1u);
  EXPECT_EQ(merged.num_known, 0u);
  EXPECT_THAT(runs("all"), ElementsAre("here 3 as 1", "demo 1 as 2", "other 5 as 3", "other 6 as 4"));
  EXPECT_THAT(runs("all", true), ElementsAre("here 4 as 1", "other 7 as 2"));
  EXPECT_EQ(record("all", "here", 9), 5) << "the next run follows them";
  EXPECT_EQ(record("all", "here", 9, true), -3);
}

TEST_F(Merging, TakesAllOfARun) {
  const std::int64_t id = record("a", "demo", 3);
  record("all", "here", 1);
  merge({"a"});
  const RunRecord before = *read_run(*Records::open_read_only(file("a")), id);
  const RunRecord after = *read_run(*Records::open_read_only(file("all")), 2);
  EXPECT_EQ(after.name, "demo");
  EXPECT_EQ(after.configuration, before.configuration);
  EXPECT_EQ(after.data.fingerprint, "f-demo");
  EXPECT_EQ(after.data.class_names, before.data.class_names);
  EXPECT_EQ(after.data.files.size(), 2u);
  EXPECT_EQ(after.data.files[1].name, "test.idx");
  EXPECT_EQ(answer("all",
                   "SELECT t.name FROM test_names t JOIN datasets d ON d.id = t.dataset_id "
                   "WHERE d.fingerprint = 'f-demo' AND example_idx = 4"),
            "test.idx#4");
  EXPECT_EQ(*read_test_scores(*Records::open_read_only(file("all")), 2),
            *read_test_scores(*Records::open_read_only(file("a")), id));
  EXPECT_EQ(after.test_error, before.test_error);
  EXPECT_EQ(after.predictions.size(), 6u);
  EXPECT_EQ(after.losses.size(), 10u);
  EXPECT_EQ(after.curve.size(), 4u);
  ASSERT_EQ(after.families.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.families[i].name, before.families[i].name);
    EXPECT_EQ(after.families[i].heuristic.name, before.families[i].heuristic.name);
    EXPECT_EQ(after.families[i].alpha_sum, before.families[i].alpha_sum);
  }
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM heuristics"), "3") << "hog is shared";
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM cuts WHERE experiment_id = 2"), "10");
  EXPECT_EQ(answer("all", "SELECT value FROM run_settings WHERE experiment_id = 2"), "3");
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM pragma_foreign_key_check"), "0");
}

TEST_F(Merging, RecognisesWhatIsThere) {
  record("a", "demo", 1);
  record("a", "demo", 2, true);
  fs::copy_file(file("a"), file("copy"));
  EXPECT_EQ(merge({"a", "copy", "a"}).num_known, 4u);
  EXPECT_THAT(runs("all"), ElementsAre("demo 1 as 1"));
  record("a", "demo", 3);
  const MergedRecords again = merge({"a"});
  EXPECT_EQ(again.num_known, 2u);
  EXPECT_EQ(again.num_runs, 1u);
  EXPECT_THAT(runs("all"), ElementsAre("demo 1 as 1", "demo 3 as 2"));
  EXPECT_THAT(runs("all", true), ElementsAre("demo 2 as 1"));
}

TEST_F(Merging, TakesWhatHasEndedInPlaceOfWhatHadNot) {
  Records records = *Records::open(file("a"));
  const Dataset data = sample::dataset();
  const std::int64_t id = *records.begin(sample::start(), data, std::vector{sample::family("hog")});
  merge({"a"});
  EXPECT_EQ(answer("all", "SELECT status FROM experiments"), "interrupted") << "nobody trains it here";
  EXPECT_EQ(answer("a", "SELECT status FROM experiments"), "running") << "the file is as it was";
  ASSERT_TRUE(records.finish(id, sample::result(data, {sample::use()}, 1), {}, data).ok());
  record("all", "here", 1);
  merge({"a"});
  EXPECT_THAT(runs("all"), ElementsAre("demo 1 as 1", "here 1 as 2"));
  EXPECT_EQ(answer("all", "SELECT status FROM experiments WHERE id = 1"), "complete");
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM predictions WHERE experiment_id = 1"), "6");
}

TEST_F(Merging, TakesTrialsFurtherBesideNewOnes) {
  record("a", "demo", 1, true);
  record("a", "demo", 2, true);
  merge({"a"});
  change("all", "UPDATE experiments SET status = 'interrupted' WHERE id = -2");
  record("a", "demo", 3, true);
  const MergedRecords merged = merge({"a"});
  EXPECT_EQ(merged.num_trials, 2u);
  EXPECT_THAT(runs("all", true), ElementsAre("demo 1 as 1", "demo 2 as 2", "demo 3 as 3"));
  EXPECT_EQ(answer("all", "SELECT status FROM experiments WHERE id = -2"), "complete");
}

// A copy that was made while its process was training, which has ended since.
TEST_F(Merging, TakesFurtherWhatDiedInTheDatabaseItself) {
  record("a", "demo", 1);
  merge({"a"});
  change("all", "UPDATE experiments SET status = 'running'");
  change("all", "UPDATE experiments SET boot_id = 'another'");
  change("a", "UPDATE experiments SET boot_id = 'another'");
  EXPECT_EQ(merge({"a"}).num_runs, 1u);
  EXPECT_EQ(answer("all", "SELECT status FROM experiments"), "complete");
}

OfferRow merged_offer(const std::string& version, std::size_t num_seeds, double gain) {
  OfferRow row;
  row.heuristic = "hog";
  row.version = version;
  row.dataset_fingerprint = "f0";
  row.side = "held out";
  row.pool = {"lbp"};
  row.newcomer = {"hog"};
  row.base = "own";
  row.num_seeds = num_seeds;
  row.gain = gain;
  return row;
}

TEST_F(Merging, KeepsTheFurtherOfTwoOfferTests) {
  {
    Records a = *Records::open(file("a")), all = *Records::open(file("all"));
    ASSERT_TRUE(keep_offer(a, merged_offer("1", 8, 0.5)).ok());
    ASSERT_TRUE(keep_offer(a, merged_offer("2", 4, 0.6)).ok());
    ASSERT_TRUE(keep_offer(a, merged_offer("3", 4, 0.9)).ok());
    ASSERT_TRUE(keep_offer(all, merged_offer("1", 4, 0.1)).ok());
    ASSERT_TRUE(keep_offer(all, merged_offer("2", 8, 0.2)).ok());
  }
  change("a", "INSERT INTO offer_judges SELECT id, 'x', x'00' FROM offer_tests");
  change("a", "INSERT INTO offer_details SELECT NULL, id, 10 * id, gain, x'00' FROM offer_tests");
  change("a", "INSERT INTO offer_sums SELECT id, num_seeds, gain, x'00', x'00' FROM offer_tests");
  change("a", "UPDATE offer_tests SET measured_at = '2020-01-01T00:00:00Z' WHERE version = '3'");
  EXPECT_EQ(merge({"a"}).num_offers, 2u);
  EXPECT_EQ(answer("all", "SELECT gain FROM offer_tests WHERE version = '1'"), "0.5");
  EXPECT_EQ(answer("all", "SELECT gain FROM offer_tests WHERE version = '2'"), "0.2");
  EXPECT_EQ(answer("all", "SELECT version FROM offer_tests ORDER BY updated LIMIT 1"), "3")
      << "by time, not by file";
  EXPECT_EQ(answer("all", "SELECT COUNT(DISTINCT updated) FROM offer_tests"), "3");
  EXPECT_EQ(
      answer("all",
             "SELECT group_concat(version || ' ' || seed) FROM (SELECT version, seed FROM offer_details d "
             "JOIN offer_tests t ON t.id = d.offer_id JOIN offer_judges USING (offer_id) ORDER BY version)"),
      "1 10,2 20,3 30");
  EXPECT_EQ(merge({"a"}).num_offers, 0u);
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM offer_details"), "3");
  EXPECT_EQ(
      answer("all",
             "SELECT group_concat(version || ' ' || s.num_seeds) FROM (SELECT version, o.num_seeds FROM "
             "offer_sums o JOIN offer_tests t ON t.id = o.offer_id ORDER BY version) s"),
      "1 8,2 4,3 4");
}

constexpr std::size_t kBeforeTrialNumbers = 14;  // the step before trials had numbers of their own

TEST_F(Merging, BringsACopyOfAnOlderFileUpToDate) {
  {
    SQLite::Database old(file("old").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : migrations().first(kBeforeTrialNumbers)) old.exec(step.sql);
    old.exec(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", 0x4D415348, kBeforeTrialNumbers));
    old.exec("INSERT INTO datasets VALUES (1, 'f', 'toy', 1, 1, 2, 4, 4, 1, 0)");
    for (const auto& [id, trial] : std::map<int, int>{{1, 1}, {2, 0}, {3, 1}, {4, 0}}) {
      old.exec(
          fmt::format("INSERT INTO experiments (id, name, dataset_id, run_key, setup, feature_set, "
                      "configuration, seed, booster, "
                      "weak, sampler, rounds, num_threads, program_version, cpu, os, instruction_set, "
                      "num_cores, memory_bytes, "
                      "status, pid, process_start, boot_id, trial) VALUES ({0}, 'old', 1, 'k{0}', '', '', "
                      "'', {0}, '', '', '', 1, "
                      "1, '', '', '', '', 1, 1, 'complete', 1, 1, '', {1})",
                      id, trial));
      old.exec(fmt::format(
          "INSERT INTO rounds VALUES ({0}, 1, 0, 1, 0, 0); INSERT INTO cuts VALUES ({0}, 1, 0, 0, 0, 0)",
          id));
    }
  }
  const std::string before = *read_file(file("old"));
  const MergedRecords merged = merge({"old"});
  EXPECT_EQ(*read_file(file("old")), before) << "the file is as it was";
  EXPECT_EQ(merged.num_runs, 2u);
  EXPECT_THAT(runs("all"), ElementsAre("old 2 as 1", "old 4 as 2"));
  EXPECT_THAT(runs("all", true), ElementsAre("old 1 as 1", "old 3 as 2"));
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM cuts"), "4");

  // The step itself keeps the numbers of runs, and what hangs on trials.
  ASSERT_TRUE(Records::open(file("old")).ok());
  EXPECT_THAT(runs("old"), ElementsAre("old 2 as 2", "old 4 as 4"));
  EXPECT_THAT(runs("old", true), ElementsAre("old 1 as 1", "old 3 as 3"));
  EXPECT_EQ(
      answer("old", "SELECT group_concat(experiment_id) FROM (SELECT * FROM cuts ORDER BY experiment_id)"),
      "-3,-1,2,4");
  EXPECT_EQ(answer("old", "SELECT COUNT(*) FROM pragma_foreign_key_check"), "0");
  EXPECT_EQ(record("old", "next", 1), 5);
  EXPECT_EQ(record("old", "next", 2, true), -4);
}

TEST_F(Merging, RefusesWhatIsNoneOfOurs) {
  record("a", "demo", 1);
  EXPECT_THAT(refusal(file("none")).message, HasSubstr("no such file"));
  ASSERT_TRUE(write_file_atomically(file("text"), std::string(500, 'x')).ok());
  EXPECT_THAT(refusal(file("text")).message, AllOf(HasSubstr("text.db"), HasSubstr("is not a database")));
  ASSERT_TRUE(write_file_atomically(file("empty"), "").ok());
  EXPECT_THAT(refusal(file("empty")).message, HasSubstr("is empty"));
  SQLite::Database(file("foreign").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE recipes (x)");
  EXPECT_THAT(refusal(file("foreign")).message, HasSubstr("another application's database"));
  fs::copy_file(file("a"), file("newer"));
  change("newer", "PRAGMA user_version = 99");
  EXPECT_THAT(refusal(file("newer")).message, AllOf(HasSubstr("newer.db"), HasSubstr("schema 99")));
  EXPECT_THAT(refusal(file("a"), "a").message, HasSubstr("is the database itself"));
  record("armed", "demo", 1);
  change("armed", "CREATE TRIGGER armed AFTER UPDATE ON experiments BEGIN DELETE FROM rounds; END");
  EXPECT_THAT(refusal(file("armed")).message, AllOf(HasSubstr("armed.db"), HasSubstr("trigger armed")));
  record("calling", "demo", 1);
  change("calling",
         "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'CHECK (role IN', 'CHECK "
         "(role   ') WHERE name = 'users'");
  const Error calling = refusal(file("calling"));
  EXPECT_EQ(calling.kind, ErrorKind::kInput) << calling.message;
  EXPECT_THAT(calling.message, HasSubstr("calling.db"));
  EXPECT_FALSE(fs::exists(file("all"))) << "nothing was begun";
}

TEST_F(Merging, OfSeveralFilesIsAllOrNothing) {
  record("a", "demo", 1);
  record("all", "here", 1);
  ASSERT_TRUE(write_file_atomically(file("text"), std::string(500, 'x')).ok());
  EXPECT_FALSE(merge_records(std::vector{file("a"), file("text")}, file("all")).ok());
  EXPECT_THAT(runs("all"), ElementsAre("here 1 as 1"));
}

TEST_F(Merging, TellsOfAServersFile) {
  record("a", "demo", 1);
  EXPECT_FALSE(merge({"a"}).has_site);
  change("a", "INSERT INTO users (name, role) VALUES ('ada', 'operator')");
  EXPECT_TRUE(merge({"a"}).has_site);
  EXPECT_EQ(answer("all", "SELECT COUNT(*) FROM users"), "0");
}

TEST_F(Merging, KnowsEveryTable) {
  record("a", "demo", 1);
  std::set<std::string> known;
  for (const auto names : {merged_table_names(), site_table_names()})
    known.insert(names.begin(), names.end());
  SQLite::Database database(file("a").string());
  SQLite::Statement table(database,
                          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  while (table.executeStep())
    EXPECT_TRUE(known.contains(table.getColumn(0).getString()))
        << table.getColumn(0).getString() << ": is it merged, or a server's?";
}

// Whenever it is killed, all of the file is there or nothing.
TEST_F(Merging, KilledLosesNothing) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) record("a", "demo", seed);
  record("all", "here", 1);
  RandomStream random(3, "test: moments to kill at");
  int num_before_the_end = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    fs::copy_file(file("all"), file("try"), fs::copy_options::overwrite_existing);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(merge_records(std::vector{file("a")}, file("try")).ok() ? 0 : 1);
    ::usleep(useconds_t(random.below(100'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    num_before_the_end += WIFSIGNALED(status);
    const std::size_t num_runs = runs("try").size();
    EXPECT_THAT(num_runs, ::testing::AnyOf(1u, 41u));
    EXPECT_EQ(answer("try", "SELECT COUNT(*) FROM predictions"), std::to_string(6 * num_runs));
    EXPECT_EQ(answer("try", "PRAGMA integrity_check"), "ok");
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(file("try").string() + ending);
  }
  EXPECT_GT(num_before_the_end, 0);
}

}  // namespace
}  // namespace mash
