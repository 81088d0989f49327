// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "framework/base/file.hpp"
#include "framework/records/internal/migrations/migrations.hpp"
#include "framework/records/leaderboard_rows.hpp"
#include "framework/records/run_record.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

static_assert(!std::is_convertible_v<RecordsReader&, Records&>, "a reader offers nothing that writes");

std::string read_only_refusal(const fs::path& path) {
  const auto records = Records::open_read_only(path);
  if (records.ok() || records.error().kind != ErrorKind::kInput) return "";
  return records.error().message;
}

// Names and contents of all files of a folder.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename().string()] = *read_file(entry.path());
  return files;
}

class ReadOnlyTest : public ::testing::Test {
 protected:
  Records open() {
    Result<Records> records = Records::open(path_);
    EXPECT_TRUE(records.ok()) << (records.ok() ? "" : records.error().message);
    return *std::move(records);
  }
  void record(Records& records, std::uint64_t seed) {
    const auto id =
        sample::record(records, sample::start("demo", seed), data_,
                       {sample::family("hog"), sample::family("lbp")}, {sample::use(3), sample::use(1)}, 3);
    ASSERT_TRUE(id.ok()) << id.error().message;
  }
  // A database with one run, which no program has open.
  void make_database() {
    Records records = open();
    record(records, 1);
  }
  static std::size_t num_runs(const RecordsReader& reader) {
    const auto rows = read_leaderboard(reader, LeaderboardBy::kExperiment);
    EXPECT_TRUE(rows.ok()) << (rows.ok() ? "" : rows.error().message);
    if (!rows.ok() || rows->empty()) return 0;
    return std::size_t(std::get<std::int64_t>((*rows)[0].values.at("runs")));
  }

  sample::Folder folder_;
  const fs::path path_ = folder_ / "mash.db";
  const Dataset data_ = sample::dataset();
};

TEST_F(ReadOnlyTest, ChangesNoByteAndMakesNoFile) {
  make_database();
  const auto before = files_of(folder_.path());
  ASSERT_EQ(before.size(), 1u) << "SQLite takes its log away when the last connection closes";
  {
    const auto reader = Records::open_read_only(path_);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ(num_runs(*reader), 1u);
    EXPECT_EQ(read_run(*reader, 1)->families.size(), 2u);
    EXPECT_TRUE(files_of(folder_.path()) == before) << "while it is open";
  }
  EXPECT_TRUE(files_of(folder_.path()) == before);
}

TEST_F(ReadOnlyTest, SeesWhatAWriterHasCommitted) {
  make_database();
  const auto reader = Records::open_read_only(path_);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(num_runs(*reader), 1u);
  {
    Records writer = open();
    record(writer, 2);
    ASSERT_GT(fs::file_size(path_.string() + "-wal"), 0u) << "the rows are in the log alone";
    EXPECT_EQ(num_runs(*reader), 2u) << "beside the writer";
    EXPECT_EQ(num_runs(*Records::open_read_only(path_)), 2u) << "opened beside the writer";
    record(writer, 3);
    EXPECT_EQ(num_runs(*reader), 3u);
  }
  EXPECT_EQ(num_runs(*reader), 3u) << "after the writer";
  EXPECT_EQ(files_of(folder_.path()).size(), 1u);
}

TEST_F(ReadOnlyTest, SeesThemThroughALinkToo) {
  const sample::Folder elsewhere;
  fs::create_symlink(path_, elsewhere / "link.db");
  Records writer = open();
  record(writer, 1);
  const auto reader = Records::open_read_only(elsewhere / "link.db");
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(num_runs(*reader), 1u);
  EXPECT_EQ(files_of(elsewhere.path()).size(), 1u);
}

TEST_F(ReadOnlyTest, DoesNotSeeWhatIsNotCommitted) {
  Records writer = open();
  record(writer, 1);
  const auto reader = Records::open_read_only(path_);
  ASSERT_TRUE(reader.ok());
  SQLite::Transaction transaction(sample::database(writer));
  sample::database(writer).exec("DELETE FROM experiments");
  EXPECT_EQ(num_runs(*reader), 1u);
  transaction.commit();
  EXPECT_EQ(num_runs(*reader), 0u);
}

TEST_F(ReadOnlyTest, ReadsWhatAKilledWriterLeft) {
  const pid_t child = ::fork();
  if (child == 0) {
    Records writer = open();
    record(writer, 1);
    ::_exit(0);  // without closing: the log stays
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path_.string() + "-wal"));
  const auto reader = Records::open_read_only(path_);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(num_runs(*reader), 1u);
}

// As somebody who may read the folder and its files, and no more.
TEST_F(ReadOnlyTest, NeedsNoRightToWrite) {
  make_database();
  const auto read_without_rights = [&] {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(3);
      if (::access(folder_.path().c_str(), W_OK) == 0) ::_exit(4);
      const auto reader = Records::open_read_only(path_);
      if (!reader.ok()) ::_exit(5);
      const auto rows = read_leaderboard(*reader, LeaderboardBy::kHeuristic);
      ::_exit(rows.ok() && rows->size() == 2 ? 0 : 6);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  };
  ::chmod(path_.c_str(), 0444);
  ::chmod(folder_.path().c_str(), 0555);
  EXPECT_EQ(read_without_rights(), 0) << "while nobody writes";
  ::chmod(folder_.path().c_str(), 0755);
  ::chmod(path_.c_str(), 0644);
  {
    const Records writer = open();
    ::chmod(folder_.path().c_str(), 0555);
    EXPECT_EQ(read_without_rights(), 0) << "beside a writer";
    ::chmod(folder_.path().c_str(), 0755);
  }
}

TEST_F(ReadOnlyTest, NamesAreNotTakenForAddresses) {
  const fs::path odd = folder_ / "50%41 off? #1.db";
  { ASSERT_TRUE(Records::open(odd).ok()); }
  const auto reader = Records::open_read_only(odd);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(num_runs(*reader), 0u);
}

TEST_F(ReadOnlyTest, RefusesAnOlderSchemaAndLeavesItAsItIs) {
  {
    SQLite::Database old(path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec(migrations()[0].sql);
    old.exec("PRAGMA application_id = 0x4D415348; PRAGMA user_version = 1");
  }
  const auto before = files_of(folder_.path());
  EXPECT_THAT(read_only_refusal(path_), AllOf(HasSubstr("mash.db: has schema 1 of an older mash, expected " +
                                                        std::to_string(migrations().back().number)),
                                              HasSubstr("mash run, brings it up to date")));
  EXPECT_TRUE(files_of(folder_.path()) == before);
}

TEST_F(ReadOnlyTest, RefusesANewerSchema) {
  make_database();
  SQLite::Database(path_, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_THAT(read_only_refusal(path_), HasSubstr("newer mash (schema 99)"));
}

TEST_F(ReadOnlyTest, RefusesASchemaThatAnotherProgramMadeNewerMeanwhile) {
  make_database();
  const auto reader = Records::open_read_only(path_);
  ASSERT_TRUE(reader.ok());
  SQLite::Database(path_, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  const auto rows = read_leaderboard(*reader, LeaderboardBy::kHeuristic);
  ASSERT_FALSE(rows.ok());
  EXPECT_THAT(rows.error().message, HasSubstr("newer mash (schema 99)"));
}

TEST_F(ReadOnlyTest, RefusesWhatIsNoDatabase) {
  EXPECT_THAT(read_only_refusal(path_), HasSubstr("mash.db: no records yet; mash run makes them"));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_THAT(read_only_refusal(folder_.path()), HasSubstr("is a folder"));
  std::ofstream(path_) << std::string(5000, 'x');
  EXPECT_THAT(read_only_refusal(path_), HasSubstr("is not a database"));
}

TEST_F(ReadOnlyTest, RefusesADamagedDatabase) {
  make_database();
  std::string content = *read_file(path_);
  for (std::size_t i = 4096; i < content.size(); ++i) content[i] = char(i * 31);
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  EXPECT_THAT(read_only_refusal(path_), HasSubstr("is a damaged database"));
}

}  // namespace
}  // namespace mash
