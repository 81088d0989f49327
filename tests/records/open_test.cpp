// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/internal/migrations/migrations.hpp"
#include "framework/records/records.hpp"
#include "framework/records/submissions.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// The message with which opening `path` is refused; "" when it is opened, or refused with the wrong kind of
// error.
std::string open_refusal(const fs::path& path) {
  const Result<Records> records = Records::open(path);
  if (records.ok() || records.error().kind != ErrorKind::kInput) return "";
  return records.error().message;
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// A sound database with one recorded run, all of it in the file itself.
void make_database(const fs::path& path) {
  Result<Records> records = Records::open(path);
  ASSERT_TRUE(records.ok()) << records.error().message;
  const Dataset data = sample::dataset(2000);
  ASSERT_TRUE(
      sample::record(*records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 3).ok());
  sample::database(*records).exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

TEST(OpenRecords, MakesADatabaseAndItsFolder) {
  sample::Folder folder;
  const fs::path path = folder.path() / "a" / "b" / "mash.db";
  Result<Records> records = Records::open(path);
  ASSERT_TRUE(records.ok()) << records.error().message;
  SQLite::Database& database = sample::database(*records);
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database.execAndGet("PRAGMA synchronous").getInt(), 1);
  EXPECT_EQ(database.execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), migrations().back().number);
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), 0x4D415348);
}

constexpr std::size_t kBeforeLearners = 15;  // the step before all runs had the name of their learner

TEST(OpenRecords, MigrationsAreNumberedFromOneWithoutGaps) {
  int expected = 1;
  for (const Migration& step : migrations()) EXPECT_EQ(step.number, expected++);
}

TEST(OpenRecords, BringsAnOlderSchemaUpToDateAndKeepsItsRows) {
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec(migrations()[0].sql);
    old.exec("PRAGMA application_id = 0x4D415348; PRAGMA user_version = 1");
    old.exec("INSERT INTO datasets VALUES (7, 'f', 'old', 1, 2, 3, 4, 5, 1, 0)");
  }
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_EQ(sample::database(*records).execAndGet("SELECT name FROM datasets WHERE id = 7").getString(),
            "old");
  EXPECT_EQ(sample::database(*records).execAndGet("SELECT COUNT(*) FROM leaderboard_by_heuristic").getInt(),
            0);
}

// The steps before the one with this SQL.
std::span<const Migration> steps_before(const char* sql) {
  const auto step = std::ranges::find(migrations(), sql, &Migration::sql);
  return migrations().first(std::size_t(step - migrations().begin()));
}

// A server's database of the step before submissions had settings.
TEST(OpenRecords, SubmissionsOfAnOlderSchemaHaveNoSettings) {
  constexpr int kBeforeSettings = 16;
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : migrations().first(kBeforeSettings)) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", kBeforeSettings));
    old.exec("INSERT INTO users (name, role) VALUES ('ada', 'contributor')");
    old.exec(
        "INSERT INTO boards (name, version, experiment, num_seeds, ladder_step) VALUES ('digits', 1, "
        "'dataset: digits', 8, 0)");
    old.exec(
        "INSERT INTO submissions (user_id, board_id, file_name, source_sha256, licence, source) VALUES (1, "
        "1, "
        "'a.cpp', 's', 'MIT', 'int a;')");
  }
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  const auto submission = find_submission(*records, 1);
  ASSERT_TRUE(submission.ok() && submission->has_value());
  EXPECT_EQ((*submission)->file_name, "a.cpp");
  EXPECT_TRUE((*submission)->settings.empty());
}

// An older file's runs of a booster keep it, and say their learner and kind; what hangs on them stays.
TEST(OpenRecords, RunsOfEveryOlderSchemaHaveALearner) {
  for (const Migration& oldest : migrations().first(kBeforeLearners)) {
    sample::Folder folder;
    {
      SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      for (const Migration& step : migrations().first(std::size_t(oldest.number))) old.exec(step.sql);
      old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", oldest.number));
      old.exec("INSERT INTO datasets VALUES (7, 'f', 'old', 1, 2, 3, 4, 5, 1, 0)");
      for (const char* ended_at : {"NULL", "'2020-01-01T00:00:00Z'"})
        old.exec(fmt::format(
            "INSERT INTO experiments (name, dataset_id, run_key, setup, feature_set, configuration, seed, "
            "booster, weak, sampler, rounds, num_threads, program_version, cpu, os, instruction_set, "
            "num_cores, "
            "memory_bytes, status, pid, process_start, boot_id, ended_at) VALUES ('old', 7, 'k', '', '', '', "
            "1, "
            "'adaboost.mh', 'stump', 'full', 10, 1, '', '', '', '', 1, 1, 'complete', 1, 1, '', {})",
            ended_at));
      old.exec("INSERT INTO curve VALUES (2, 1, 0, 0, 0, 0, 0)");
    }
    const Result<Records> records = Records::open(folder / "mash.db");
    ASSERT_TRUE(records.ok()) << oldest.number << ": " << records.error().message;
    const auto answer = [&](const char* query) {
      return sample::database(*records).execAndGet(query).getString();
    };
    EXPECT_EQ(
        answer(
            "SELECT learner || booster || weak || sampler || rounds || kind FROM experiments WHERE id = 2"),
        "adaboost.mhadaboost.mhstumpfull10sum")
        << oldest.number;
    EXPECT_EQ(answer("SELECT COUNT(*) FROM experiments WHERE kind IS NULL"), "1") << "the one without an end";
    EXPECT_EQ(answer("SELECT COUNT(*) FROM curve"), "1") << oldest.number;
    EXPECT_EQ(answer("SELECT COUNT(*) FROM pragma_foreign_key_check"), "0") << oldest.number;
  }
}

// An offer test of the version before has no sums, and no nearest family.
TEST(OpenRecords, OfferTestsOfAnOlderSchemaHaveNoSums) {
  sample::Folder folder;
  {
    const auto steps = steps_before(kOfferSumsSql);
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : steps) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", steps.size()));
    old.exec(
        "INSERT INTO offer_tests (heuristic, version, settings, plugin_sha256, dataset_fingerprint, dataset, "
        "side, "
        "pool_key, together_key, pool, experiment, base, trained_by, first_seed, num_seeds, gain, "
        "standard_error, low, "
        "high, relevant, placebo_gain, num_wins, num_duels, win_index, speed_up, finding, seconds, "
        "procedure, updated) "
        "VALUES ('hog', '1', '', '', 'f', 'digits', 'test', 'p', 't', 'lbp', 'demo', 'own', '', 1, 8, 2, .1, "
        "1, 3, 1, "
        "0, 1, 2, 1, 0, 'adds', 1, 2, 1)");
  }
  const Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  SQLite::Database& database = sample::database(*records);
  EXPECT_EQ(database.execAndGet("SELECT nearest || nearest_cka FROM latest_offers").getString(), "0.0");
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM offer_sums").getInt(), 0);
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM pragma_foreign_key_check").getInt(), 0);
}

// A run of the version before has no settings, and is in the contest that its configuration says. A trial of
// it stays out of the views of runs.
TEST(OpenRecords, RunsBeforeSettingsWereKeptAreToldByTheirConfiguration) {
  constexpr std::size_t kBeforeSettings = 16;
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : migrations().first(kBeforeSettings)) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", kBeforeSettings));
    old.exec("INSERT INTO datasets VALUES (7, 'f', 'old', 1, 2, 3, 4, 5, 1, 0)");
    old.exec("INSERT INTO heuristics VALUES (1, 'hog', '1.0.0', '', '', '', '', '')");
    for (const int id : {1, -1}) {
      old.exec(fmt::format(
          "INSERT INTO experiments (id, name, dataset_id, run_key, setup, feature_set, configuration, seed, "
          "learner, booster, weak, sampler, rounds, num_threads, program_version, cpu, os, instruction_set, "
          "num_cores, memory_bytes, status, pid, process_start, boot_id, trial, test_error) VALUES ({0}, "
          "'old', "
          "7, 'k{0}', 's', 'f', 'dataset: {{name: old, clutter: \"4\"}}' || char(10) || 'seed: 1', 1, "
          "'adaboost.mh', 'adaboost.mh', 'stump', 'full', 10, 1, '', '', '', '', 1, 1, 'complete', 1, 1, '', "
          "{1}, 0.25)",
          id, int(id < 0)));
      old.exec(
          fmt::format("INSERT INTO families (experiment_id, family_idx, heuristic_id, name, settings, dim, "
                      "num_distinct, lazy, num_faults, extract_seconds, microseconds_per_image) VALUES "
                      "({}, 0, 1, 'hog', '', 4, 4, 0, 0, 1, 1)",
                      id));
    }
  }
  const Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  SQLite::Database& database = sample::database(*records);
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM run_settings").getInt(), 0);
  EXPECT_EQ(
      database.execAndGet("SELECT group_concat(dataset_settings) FROM leaderboard_by_experiment").getString(),
      "clutter: 4");
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM run_groups").getInt(), 1);
  EXPECT_EQ(database.execAndGet("SELECT test_error FROM leaderboard_by_strategy").getDouble(), 0.25);
}

// Runs of the version before do not say which of them differ in their rounds alone: all of them count.
TEST(OpenRecords, RunsBeforeRoundsWereToldApartAllCount) {
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    const auto steps = steps_before(kLongestRunsSql);
    for (const Migration& step : steps) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", steps.size()));
    old.exec("INSERT INTO datasets VALUES (7, 'f', 'old', 1, 2, 3, 4, 5, 1, 0)");
    for (const int rounds : {10, 20})
      old.exec(fmt::format(
          "INSERT INTO experiments (name, dataset_id, run_key, setup, feature_set, configuration, seed, "
          "learner, num_threads, program_version, cpu, os, instruction_set, num_cores, memory_bytes, "
          "status, pid, process_start, boot_id, num_rounds) VALUES ('old', 7, 'k{0}', 's{0}', 'f', '', 1, "
          "'adaboost.mh', 1, '', '', '', '', 1, 1, 'complete', 1, 1, '', {0})",
          rounds));
  }
  const Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_EQ(sample::database(*records).execAndGet("SELECT COUNT(*) FROM longest_runs").getInt(), 2);
}

// Credits of the version before have no parts of pictures.
TEST(OpenRecords, CreditsOfAnOlderSchemaHaveNoPartsOfPictures) {
  sample::Folder folder;
  {
    const auto steps = steps_before(kCreditPicturesSql);
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : steps) old.exec(step.sql);
    old.exec(
        fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}", steps.back().number));
    old.exec("INSERT INTO credits VALUES ('f', 't', 'hog', '1', 100, .5, .1, '2026-01-01T00:00:00Z')");
    old.exec("INSERT INTO credit_parts VALUES ('f', 't', 'hog', '1', x'', x'0000000000000000')");
  }
  const Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  SQLite::Database& database = sample::database(*records);
  EXPECT_EQ(database.execAndGet("SELECT length(of_seeds) || ' ' || length(of_pictures) FROM credit_parts")
                .getString(),
            "8 0");
  EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM pragma_foreign_key_check").getInt(), 0);
}

// Data that an older version recorded get the names of their files when they are used the next time.
TEST(OpenRecords, FilesOfAnOlderSchemaAreNamedByTheNextRun) {
  sample::Folder folder;
  const Dataset data = sample::dataset(6, "f");
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : steps_before(kPictureNamesSql)) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}",
                         steps_before(kPictureNamesSql).size()));
    old.exec("INSERT INTO datasets VALUES (7, 'f', 'toy', 10, 6, 3, 4, 4, 1, 0)");
    old.exec(
        "INSERT INTO dataset_files VALUES (7, 0, '/old/train.idx', 'x', 1), (7, 1, '/old/b.idx', 'y', 2)");
    old.exec(
        "INSERT INTO boards (id, name, version, experiment, num_seeds, ladder_step) "
        "VALUES (1, 'halves', 1, '', 4, 0)");
    old.exec(
        "INSERT INTO board_pages (board_id, name, content) VALUES (1, 'experiment.html', 'hidden/cat.png'), "
        "(1, 'experiment.json', '{}'), (1, 'uncovered.html', 'stays')");
  }
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  const auto answer = [&](const char* query) {
    return sample::database(*records).execAndGet(query).getString();
  };
  EXPECT_EQ(answer("SELECT group_concat(path) FROM dataset_files WHERE name IS NULL AND split IS NULL"),
            "/old/train.idx,/old/b.idx");
  EXPECT_EQ(answer("SELECT group_concat(name) FROM board_pages"), "uncovered.html")
      << "pages that may list the files of pictures are made again";
  ASSERT_TRUE(
      sample::record(*records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 3).ok());
  EXPECT_EQ(answer("SELECT COUNT(*) FROM datasets"), "1");
  EXPECT_EQ(answer("SELECT group_concat(name) FROM dataset_files"), "train.idx,test.idx");
  EXPECT_EQ(answer("SELECT name FROM test_names WHERE dataset_id = 7 AND example_idx = 5"), "test.idx#5");
  EXPECT_EQ(answer("SELECT COUNT(*) FROM pragma_foreign_key_check"), "0");
}

// A server of the version before boards had terms and accounts could be closed.
TEST(OpenRecords, BoardsAndUsersOfAnOlderSchemaAreOpen) {
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : steps_before(kCoursesSql)) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}",
                         steps_before(kCoursesSql).size()));
    old.exec("INSERT INTO users (name, role, password_hash) VALUES ('ada', 'contributor', 'hash')");
    old.exec("INSERT INTO invitations VALUES ('h', 1, 1, '2020-01-01T00:00:00Z')");
    old.exec(
        "INSERT INTO boards (name, version, experiment, num_seeds, ladder_step) VALUES ('digits', 1, 'x', 8, "
        "0)");
    for (const auto& [version, state] : {std::pair("1.1.0", "published"), std::pair("1.0.0", "superseded")}) {
      old.exec(fmt::format(
          "INSERT INTO submissions (user_id, board_id, file_name, source_sha256, licence, source, heuristic, "
          "version, state) VALUES (1, 1, 'a.cpp', 's', 'MIT', 'int a;', 'rows', '{}', '{}')",
          version, state));
      old.exec(
          "INSERT INTO judgements (submission_id, gain, standard_error, low, high, num_seeds, finding, "
          "released_gain, released_standard_error, released_low, released_high, released_num_seeds, "
          "released_finding, microseconds, num_features, report_html, report_json) SELECT MAX(id), 3, 0.4, "
          "2, "
          "4, 8, 'adds', 3, 0.4, 2, 4, 8, 'adds', 1, 1, '', '' FROM submissions");
    }
  }
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_EQ(read_boards(*records)->at(0).terms, BoardTerms{});
  const std::vector<BoardEntry> entries = *read_board_entries(*records, 1);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].version, "1.1.0") << "not the lower one that was handed in later";
  const User ada = **find_user(*records, "ada");
  EXPECT_FALSE(ada.is_closed());
  EXPECT_EQ(ada.password_hash, "hash");
  EXPECT_TRUE(read_invited_names(*records)->empty());
  EXPECT_TRUE(add_submission(*records, {ada.id, 1, "", "a.cpp", "int a;", "MIT"}).ok());
}

// Gains that a server of an older version told are counted, with the smallest step that each can have had.
TEST(OpenRecords, GainsOfAnOlderSchemaAreCountedAsTold) {
  sample::Folder folder;
  {
    SQLite::Database old(folder / "mash.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    for (const Migration& step : steps_before(kLikenessSql)) old.exec(step.sql);
    old.exec(fmt::format("PRAGMA application_id = 0x4D415348; PRAGMA user_version = {}",
                         steps_before(kLikenessSql).size()));
    old.exec("INSERT INTO users (name, role) VALUES ('ada', 'contributor')");
    for (const auto& [name, step] :
         {std::pair("plain", 0.), std::pair("steps", .5), std::pair("placebo", -1.)}) {
      old.exec(fmt::format(
          "INSERT INTO boards (name, version, experiment, num_seeds, ladder_step) VALUES ('{}', 1, "
          "'', 8, {})",
          name, step));
      for (const char* version : {"1", "2"}) {
        old.exec(fmt::format(
            "INSERT INTO submissions (user_id, board_id, file_name, source_sha256, licence, source, "
            "heuristic, version, state) SELECT 1, id, 'a.cpp', 's', 'MIT', 'int a;', 'rows', '{}', "
            "'published' FROM boards WHERE name = '{}'",
            version, name));
        old.exec(
            "INSERT INTO judgements (submission_id, gain, standard_error, low, high, num_seeds, finding, "
            "released_gain, released_standard_error, released_low, released_high, released_num_seeds, "
            "released_finding, microseconds, num_features, report_html, report_json) SELECT MAX(id), 3, 0.4, "
            "2, 4, "
            "8, 'adds', 3, 0.4, 2, 4, 8, 'adds', 1, 1, '', '' FROM submissions");
      }
    }
  }
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok()) << records.error().message;
  SQLite::Statement row(sample::database(*records), R"sql(
    SELECT group_concat(b.name || ' ' || a.step || ' ' || a.is_stepped || ' ' || COALESCE(a.best, '-'), ', ')
    FROM (SELECT * FROM released_answers ORDER BY id) a JOIN boards b ON b.id = a.board_id)sql");
  ASSERT_TRUE(row.executeStep());
  EXPECT_EQ(
      row.getColumn(0).getString(),
      "plain 0.01 0 -, plain 0.01 0 3.0, steps 0.5 1 -, steps 0.5 1 3.0, placebo 0.04 1 -, placebo 0.04 1 "
      "3.0");
  EXPECT_EQ(read_boards(*records)->size(), 3u);
}

TEST(OpenRecords, AnEmptyFileBecomesADatabase) {
  sample::Folder folder;
  write(folder / "mash.db", "");
  EXPECT_TRUE(Records::open(folder / "mash.db").ok());
}

TEST(OpenRecords, RefusesGarbage) {
  sample::Folder folder;
  write(folder / "mash.db", std::string(5000, 'x'));
  EXPECT_THAT(open_refusal(folder / "mash.db"),
              AllOf(HasSubstr("mash.db: is not a database"), HasSubstr("SQLite format 3")));
  EXPECT_EQ(*read_file(folder / "mash.db"), std::string(5000, 'x'))
      << "a file that is not ours is left alone";
}

TEST(OpenRecords, RefusesAFileThatIsOnlyTheStartOfAHeader) {
  sample::Folder folder;
  write(folder / "mash.db", std::string("SQLite format 3\0 and", 20));
  EXPECT_THAT(open_refusal(folder / "mash.db"), HasSubstr("is a damaged database: has 20 bytes"));
}

TEST(OpenRecords, RefusesATruncatedDatabaseWhereverItIsCut) {
  sample::Folder folder;
  make_database(folder / "whole.db");
  const std::string whole = *read_file(folder / "whole.db");
  for (const std::size_t size : {std::size_t(100), std::size_t(4096), whole.size() / 2, whole.size() - 1}) {
    write(folder / "cut.db", whole.substr(0, size));
    EXPECT_THAT(open_refusal(folder / "cut.db"), HasSubstr("cut.db: is a damaged database"))
        << size << " bytes";
  }
}

TEST(OpenRecords, RefusesADatabaseWithPagesOverwritten) {
  sample::Folder folder;
  make_database(folder / "mash.db");
  std::string content = *read_file(folder / "mash.db");
  for (std::size_t i = 4096; i < content.size(); ++i) content[i] = char(i * 31);
  write(folder / "mash.db", content);
  EXPECT_THAT(open_refusal(folder / "mash.db"), HasSubstr("is a damaged database"));
}

TEST(OpenRecords, RefusesAnotherApplicationsDatabase) {
  sample::Folder folder;
  {
    SQLite::Database other(folder / "cookies.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE cookies (jar); PRAGMA application_id = 0x1234");
  }
  EXPECT_THAT(open_refusal(folder / "cookies.db"),
              AllOf(HasSubstr("another application's database"), HasSubstr("0x1234"), HasSubstr("cookies")));
}

TEST(OpenRecords, RefusesADatabaseOfTablesWithoutAnOwner) {
  sample::Folder folder;
  SQLite::Database(folder / "x.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE experiments (id)");
  EXPECT_THAT(open_refusal(folder / "x.db"), HasSubstr("another application's database"));
}

TEST(OpenRecords, RefusesANewerSchema) {
  sample::Folder folder;
  make_database(folder / "mash.db");
  SQLite::Database(folder / "mash.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_THAT(open_refusal(folder / "mash.db"),
              AllOf(HasSubstr("newer mash (schema 99)"),
                    HasSubstr("up to " + std::to_string(migrations().back().number))));
}

TEST(OpenRecords, RefusesANegativeSchema) {
  sample::Folder folder;
  make_database(folder / "mash.db");
  SQLite::Database(folder / "mash.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = -1");
  EXPECT_THAT(open_refusal(folder / "mash.db"), HasSubstr("found schema -1, expected 0 to"));
}

TEST(OpenRecords, RefusesAFolder) {
  sample::Folder folder;
  EXPECT_THAT(open_refusal(folder.path()), HasSubstr("is a folder"));
}

TEST(OpenRecords, RefusesAPlaceBelowAFile) {
  sample::Folder folder;
  write(folder / "file", "x");
  EXPECT_THAT(open_refusal(folder.path() / "file" / "mash.db"), HasSubstr("folder cannot be made"));
}

TEST(OpenRecords, RefusesAFolderThatCannotBeWritten) {
  // Nobody, root included, makes files there.
  EXPECT_THAT(open_refusal("/proc/self/mash.db"),
              HasSubstr("/proc/self/mash.db: cannot be opened for writing"));
}

TEST(OpenRecords, RefusesWhatIsNoRegularFile) {
  EXPECT_THAT(open_refusal("/dev/null"), HasSubstr("is not a file"));
}

TEST(OpenRecords, ManyProcessesMayMakeTheSameDatabaseAtOnce) {
  sample::Folder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Result<Records> records = Records::open(folder / "mash.db");
      if (!records.ok()) std::cerr << records.error().message << '\n';
      ::_exit(records.ok() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(Records::open(folder / "mash.db").ok());
}

}  // namespace
}  // namespace mash
