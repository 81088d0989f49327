// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "framework/base/random.hpp"
#include "framework/records/records.hpp"
#include "tests/records/sample.hpp"

namespace mash {
namespace {

// Records runs one after the other until it is killed; every third is left unfinished.
[[noreturn]] void record_for_ever(const std::filesystem::path& path) {
  const Dataset data = sample::dataset(500);
  const std::vector<FamilyRow> families = {sample::family("hog"), sample::family("lbp")};
  for (std::uint64_t seed = 0;; ++seed) {
    Result<Records> records = Records::open(path);
    if (!records.ok()) ::_exit(3);
    const auto id = records->begin(sample::start("demo", seed % 5), data, families);
    if (!id.ok()) ::_exit(4);
    for (std::uint32_t round = 1; round <= 200; ++round)
      records->recorder(*id)->on_round(sample::round(round));
    if (seed % 3 == 2) continue;
    const TrainingResult result = sample::result(data, {sample::use(), sample::use()}, 5);
    if (!records->finish(*id, result, {}, data).ok()) ::_exit(5);
  }
}

TEST(Crash, AKilledWriterLeavesASoundDatabase) {
  sample::Folder folder;
  const std::filesystem::path path = folder / "mash.db";
  RandomStream random(1, "test: moments to kill at");
  std::int64_t num_experiments = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const pid_t child = ::fork();
    if (child == 0) record_for_ever(path);
    ::usleep(useconds_t(random.below(120'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer gave up with code " << WEXITSTATUS(status);

    Result<Records> records = Records::open(path);
    ASSERT_TRUE(records.ok()) << records.error().message;
    SQLite::Database& database = sample::database(*records);
    EXPECT_EQ(database.execAndGet("PRAGMA quick_check").getString(), "ok");
    EXPECT_FALSE(SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep());
    // A run is finished with all of its predictions or not finished at all.
    EXPECT_EQ(database
                  .execAndGet("SELECT COUNT(*) FROM experiments e WHERE (status = 'complete') <> "
                              "((SELECT COUNT(*) FROM predictions p WHERE p.experiment_id = e.id) = 500)")
                  .getInt(),
              0);
    const std::int64_t now = database.execAndGet("SELECT COUNT(*) FROM experiments").getInt64();
    EXPECT_GE(now, num_experiments) << "what was committed is kept";
    num_experiments = now;
  }
  EXPECT_GT(num_experiments, 0) << "no writer got as far as one row: the moments are too early";
}

}  // namespace
}  // namespace mash
