// SPDX-License-Identifier: Apache-2.0
#include "framework/records/backup.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "framework/base/file.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/internal/migrations/migrations.hpp"
#include "framework/records/submission_queue.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

template <class T>
std::string backup_refusal(const Result<T>& result) {
  return result.ok() || result.error().kind != ErrorKind::kInput ? "" : result.error().message;
}

class Backup : public ::testing::Test {
 protected:
  void SetUp() override { add("ada"); }
  void add(const std::string& name) {
    Records records = *Records::open(site_);
    ASSERT_TRUE(add_user(records, {0, name, std::string(kContributorRole), ""}).ok());
  }
  static std::vector<std::string> names_in(const fs::path& database) {
    const std::vector<User> users = *read_users(*Records::open(database));
    std::vector<std::string> names;
    for (const User& user : users) names.push_back(user.name);
    return names;
  }
  // A process that has the database open, until this ends; nothing is open in our own.
  class Holder {
   public:
    explicit Holder(const fs::path& database) {
      int ready[2];
      EXPECT_EQ(::pipe(ready), 0);
      pid_ = ::fork();
      if (pid_ == 0) {
        const auto records = Records::open(database);
        if (!records.ok() || ::write(ready[1], "x", 1) != 1) ::_exit(1);
        for (;;) ::pause();
      }
      char byte = 0;
      EXPECT_EQ(::read(ready[0], &byte, 1), 1);
      for (const int end : ready) ::close(end);
    }
    ~Holder() {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    pid_t pid() const { return pid_; }

   private:
    pid_t pid_;
  };

  testing::ScratchFolder folder_;
  fs::path site_ = folder_ / "mash.db", copy_ = folder_ / "copy.db";
};

TEST_F(Backup, ACopyIsOneFileThatOnlyItsOwnerMayRead) {
  const auto bytes = backup_records(site_, copy_);
  ASSERT_TRUE(bytes.ok()) << bytes.error().message;
  EXPECT_EQ(*bytes, fs::file_size(copy_));
  EXPECT_EQ(fs::status(copy_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);
  EXPECT_THAT(names_in(copy_), ElementsAre("ada"));
}

TEST_F(Backup, NothingIsOverwritten) {
  std::ofstream(copy_) << "mine";
  EXPECT_EQ(backup_refusal(backup_records(site_, copy_)),
            copy_.string() + ": is there already; expected a new file");
  EXPECT_EQ(*read_file(copy_), "mine");
  fs::remove(copy_);
  fs::create_symlink("nowhere", copy_);
  EXPECT_THAT(backup_refusal(backup_records(site_, copy_)), HasSubstr("is there already"));
  EXPECT_THAT(backup_refusal(backup_records(site_, folder_ / "no/copy.db")), HasSubstr("cannot be written"));
  EXPECT_THAT(backup_refusal(backup_records(folder_ / "none.db", folder_ / "b.db")), HasSubstr("none.db"));
  EXPECT_FALSE(fs::exists(folder_ / "b.db"));
}

TEST_F(Backup, CopiesTakenWhileOthersWriteAreEachOfOneMoment) {
  std::atomic<bool> is_over{false};
  std::thread writer([&] {
    SQLite::Database database(site_.string(), SQLite::OPEN_READWRITE, 30'000);
    for (int i = 0; !is_over; ++i) {
      // Either both or neither: a copy with a user of odd number has seen half of a transaction.
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      for (const char* half : {"a", "b"})
        database.exec("INSERT INTO users (name, role) VALUES ('w" + std::to_string(i) + half +
                      "', 'contributor')");
      transaction.commit();
    }
  });
  std::size_t num_users = 0;
  for (int i = 0; i < 10; ++i) {
    const fs::path copy = folder_ / ("copy-" + std::to_string(i));
    const auto bytes = backup_records(site_, copy);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message;
    const std::size_t count = names_in(copy).size();
    EXPECT_EQ(count % 2, 1u);  // ada and pairs
    EXPECT_GE(count, num_users);
    num_users = count;
  }
  is_over = true;
  writer.join();
  EXPECT_GT(num_users, 1u);
}

TEST_F(Backup, ADamagedDatabaseGivesNoCopy) {
  {
    Records records = *Records::open(site_);
    for (int i = 0; i < 400; ++i)
      ASSERT_TRUE(
          add_user(records, {0, "user-" + std::to_string(i), std::string(kContributorRole), ""}).ok());
  }
  const auto size = fs::file_size(site_);
  std::fstream file(site_, std::ios::in | std::ios::out | std::ios::binary);
  for (auto at = size / 2; at + 4096 < size; at += 4096) {
    file.seekp(std::streamoff(at));
    file << std::string(512, 'x');
  }
  file.close();
  const auto bytes = backup_records(site_, copy_);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("damaged"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Backup, ARestoredSiteIsThatOfTheCopyAndWhatWasThereIsKept) {
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  add("bob");
  for (int i = 1; i <= 2; ++i) {
    const auto kept = restore_records(copy_, site_);
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    ASSERT_TRUE(*kept);
    EXPECT_EQ(**kept, site_.string() + ".before-restore-" + std::to_string(i));
    EXPECT_THAT(names_in(site_), ElementsAre("ada"));
  }
  EXPECT_THAT(names_in(site_.string() + ".before-restore-1"), ElementsAre("ada", "bob"));
  EXPECT_THAT(names_in(copy_), ElementsAre("ada"));
}

// The database that was there and the one that is there now, no matter who could read either.
TEST_F(Backup, OnlyItsOwnerMayReadWhatARestoreLeaves) {
  const fs::perms for_all = fs::perms(0644), for_owner = fs::perms(0600);
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  fs::permissions(site_, for_all);
  fs::permissions(copy_, for_all);
  const auto kept = restore_records(copy_, site_);
  ASSERT_TRUE(kept.ok()) << kept.error().message;
  EXPECT_EQ(fs::status(**kept).permissions(), for_owner);
  EXPECT_EQ(fs::status(site_).permissions(), for_owner);
  EXPECT_EQ(fs::status(copy_).permissions(), for_all) << "it is the operator's";
}

TEST_F(Backup, ASiteIsRestoredToAnEmptyFolder) {
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  fs::create_directory(folder_ / "new");
  const auto kept = restore_records(copy_, folder_ / "new/mash.db");
  ASSERT_TRUE(kept.ok()) << kept.error().message;
  EXPECT_FALSE(*kept);
  EXPECT_THAT(names_in(folder_ / "new/mash.db"), ElementsAre("ada"));
}

TEST_F(Backup, NothingIsRestoredUnderAProgramThatRuns) {
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  add("bob");
  {
    const Holder holder(site_);
    EXPECT_EQ(backup_refusal(restore_records(copy_, site_)),
              site_.string() + ": process " + std::to_string(holder.pid()) + " uses it; end it first");
  }
  {
    Records records = *Records::open(site_);
    ASSERT_TRUE(report_runner(records, std::nullopt).ok());
  }
  EXPECT_EQ(backup_refusal(restore_records(copy_, site_)), site_.string() + ": the runner of process " +
                                                               std::to_string(::getpid()) +
                                                               " works at it; end it first");
  EXPECT_THAT(names_in(site_), ElementsAre("ada", "bob"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(Backup, TheLogOfOneThatWasKilledGoesWithItsDatabase) {
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  // A database too damaged to be opened, with a log that would be played into a file beside it.
  std::ofstream(site_, std::ios::trunc) << "no database";
  std::ofstream(site_.string() + "-wal") << "a log";
  const auto kept = restore_records(copy_, site_);
  ASSERT_TRUE(kept.ok()) << kept.error().message;
  EXPECT_THAT(names_in(site_), ElementsAre("ada"));
  EXPECT_EQ(*read_file(**kept), "no database");
  EXPECT_EQ(*read_file((*kept)->string() + "-wal"), "a log");
}

TEST_F(Backup, WhatIsNoCopyIsNotRestored) {
  std::ofstream(folder_ / "text") << "Lorem ipsum dolor sit amet";
  std::ofstream(folder_ / "empty") << "";
  EXPECT_THAT(backup_refusal(restore_records(folder_ / "text", site_)), HasSubstr("text: is not a database"));
  EXPECT_THAT(backup_refusal(restore_records(folder_ / "empty", site_)), HasSubstr("empty: is empty"));
  EXPECT_THAT(backup_refusal(restore_records(folder_ / "none", site_)), HasSubstr("there is no such file"));
  EXPECT_THAT(backup_refusal(restore_records(folder_.path(), site_)), HasSubstr("is no file"));
  {
    SQLite::Database((folder_ / "other").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE t (x)");
  }
  EXPECT_THAT(backup_refusal(restore_records(folder_ / "other", site_)), HasSubstr("another application's"));
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  {
    SQLite::Database newer(copy_.string(), SQLite::OPEN_READWRITE);
    newer.exec("PRAGMA user_version = " + std::to_string(migrations().back().number + 1));
  }
  EXPECT_THAT(backup_refusal(restore_records(copy_, site_)),
              HasSubstr("copy.db: was written by a newer mash"));
  const Holder holder(site_);
  EXPECT_THAT(backup_refusal(restore_records(site_, folder_ / "b.db")),
              HasSubstr("mash.db-wal lies beside it"));
}

// Triggers and views run by themselves when the site writes or reads.
TEST_F(Backup, ACopyWithAnotherSchemaIsNotRestored) {
  struct Row {
    const char *change, *name;
  };
  const Row rows[] = {
      {"CREATE TRIGGER op AFTER INSERT ON users BEGIN UPDATE users SET role = 'operator'; END", "trigger op"},
      {"CREATE TRIGGER t INSTEAD OF INSERT ON judged_submissions BEGIN SELECT 1; END", "trigger t"},
      {"CREATE VIEW mine AS SELECT * FROM tokens", "view mine"},
      {"DROP VIEW judged_submissions; CREATE VIEW judged_submissions AS SELECT 1", "view judged_submissions"},
      {"DROP VIEW judged_submissions", "lacks the view judged_submissions"},
      {"CREATE TABLE more (x)", "table more"},
      {"CREATE INDEX i ON users(role)", "index i"},
      {"DROP INDEX tokens_by_user", "lacks the index tokens_by_user"},
      {"ALTER TABLE users ADD COLUMN note TEXT", "table users"},
      {"ALTER TABLE users ADD COLUMN op TEXT GENERATED ALWAYS AS ('operator')", "table users"},
      {"DROP TABLE invitations; CREATE VIEW invitations AS SELECT 1", "view invitations"},
      {"PRAGMA user_version = 12", "which is not what mash makes"}};
  for (const Row& row : rows) {
    fs::remove(copy_);
    ASSERT_TRUE(backup_records(site_, copy_).ok());
    SQLite::Database(copy_.string(), SQLite::OPEN_READWRITE).exec(row.change);
    const std::string refusal = backup_refusal(restore_records(copy_, site_));
    EXPECT_THAT(refusal, HasSubstr(row.name)) << row.change;
    EXPECT_THAT(refusal, HasSubstr("copy.db: ")) << row.change;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);
}

// A copy that an older program made is checked by what that program made.
TEST_F(Backup, ACopyOfAnyOlderSchemaIsRestored) {
  for (const Migration& last : migrations()) {
    fs::remove(copy_);
    {
      SQLite::Database older(copy_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      for (const Migration& step : migrations())
        if (step.number <= last.number) older.exec(step.sql);
      older.exec("PRAGMA application_id = " + std::to_string(0x4D415348));
      older.exec("PRAGMA user_version = " + std::to_string(last.number));
    }
    const auto kept = restore_records(copy_, site_);
    EXPECT_TRUE(kept.ok()) << last.number << ": " << kept.error().message;
  }
}

TEST_F(Backup, ACopyWhoseRowsContradictEachOtherIsNotRestored) {
  ASSERT_TRUE(backup_records(site_, copy_).ok());
  {
    SQLite::Database copy(copy_.string(), SQLite::OPEN_READWRITE);
    copy.exec("PRAGMA foreign_keys = OFF");
    copy.exec(
        "INSERT INTO tokens (user_id, kind, scope, hash, label, expires_at) "
        "VALUES (99, 'api', 'read', 'x', '', '')");
  }
  EXPECT_THAT(backup_refusal(restore_records(copy_, site_)),
              HasSubstr("copy.db: is a damaged database: a row of tokens belongs to no row of users"));
  EXPECT_THAT(names_in(site_), ElementsAre("ada"));
}

}  // namespace
}  // namespace mash
