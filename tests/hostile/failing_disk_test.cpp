// SPDX-License-Identifier: Apache-2.0
// Each call to a disk fails once, in each of the commands that keep something. A submission through the
// runner: tests/server/runner/faults_test.cpp.
#include "tests/support/failing_disk.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <set>

#include "framework/records/records.hpp"
#include "tests/hostile/disturbed_run.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::DisturbedCommand;
using testing::expect_same_end_whatever_fails;
using testing::file_content;
using testing::ProgramResult;
using testing::RunningProgram;
using testing::Sandbox;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these stand in for the same calls

void write(const Sandbox& sandbox, const char* name, const std::string& content) {
  std::ofstream(sandbox.work() / name) << content;
}

void run(const Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const ProgramResult result = sandbox.run(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

// The rows of some queries, as text; also that the database is whole.
std::string rows(const fs::path& path, const std::vector<std::string>& queries) {
  std::string all;
  try {
    SQLite::Database database(path.string(), SQLite::OPEN_READONLY, 1000);
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
    EXPECT_FALSE(SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep());
    for (const std::string& query : queries) {
      SQLite::Statement statement(database, query);
      while (statement.executeStep()) {
        for (int i = 0; i < statement.getColumnCount(); ++i) all += statement.getColumn(i).getString() + "|";
        all += "\n";
      }
      all += "\n";
    }
  } catch (const SQLite::Exception& error) {
    all += error.what();
  }
  return all;
}

// The files below a folder by name. Those of SQLite that come and go are left out, and so are the rounds of
// finished trainings: a run goes well also where they cannot be kept.
std::string files_below(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!name.ends_with("-wal") && !name.ends_with("-shm") && !name.starts_with("store/rounds"))
      names.insert(name);
  }
  std::string all;
  for (const std::string& name : names) all += name + "\n";
  return all;
}

// The rows of the newest experiment, without times and places; none is left half done.
std::vector<std::string> newest_experiment() {
  const std::string newest = " WHERE experiment_id = (SELECT MAX(id) FROM experiments)";
  return {
      "SELECT COUNT(*) FROM experiments WHERE status <> 'complete'",
      "SELECT name, seed, booster, weak, sampler, rounds, status, num_rounds, train_loss_log10, train_error, "
      "test_error, fe, ops, ue, once FROM experiments ORDER BY id DESC LIMIT 1",
      "SELECT family_idx, name, settings, dim, num_distinct, offered, evaluated, chosen, alpha_sum FROM "
      "families" +
          newest,
      "SELECT round, family_idx, feature_idx, threshold, edge, alpha, train_loss_log10, cost FROM rounds" +
          newest,
      "SELECT round, train_error, test_error FROM curve" + newest,
      "SELECT COUNT(*) FROM predictions" + newest};
}

constexpr const char* kExperiment = R"(
dataset: {name: digits, train: EXAMPLES, test: 30, size: 16}
heuristics: [lbp, gray-histogram]
booster: {name: adaboost.mh, rounds: ROUNDS}
)";
std::string experiment(int num_rounds, int num_examples = 60) {
  std::string text = kExperiment;
  text.replace(text.find("ROUNDS"), 6, std::to_string(num_rounds));
  return text.replace(text.find("EXAMPLES"), 8, std::to_string(num_examples));
}
const std::vector<std::string> kRun = {"mash",  "run",     "e.yaml", "--db",      "records.db", "--store",
                                       "store", "--model", "m.json", "--threads", "1"};

std::string outcome_of_run(const Sandbox& sandbox) {
  return rows(sandbox.work() / "records.db", newest_experiment()) + file_content(sandbox.work() / "m.json") +
         files_below(sandbox.work());
}

TEST(FailingDisk, Run) {
  expect_same_end_whatever_fails(
      {kRun, [](const Sandbox& sandbox) { write(sandbox, "e.yaml", experiment(5)); }, outcome_of_run});
}

TEST(FailingDisk, RunThatGoesOnFromACheckpoint) {
  const auto stop_in_training = [](const Sandbox& sandbox) {
    write(sandbox, "e.yaml", experiment(2000));
    for (int attempt = 0; attempt < 20; ++attempt) {
      RunningProgram program = sandbox.start(kRun);
      testing::wait_until(program, [&] {
        return rows(sandbox.work() / "records.db",
                    {"SELECT 'is running' FROM experiments WHERE status = 'running'"})
                   .find("is running") != std::string::npos;
      });
      program.send(SIGINT);
      if (program.wait().exit_code == 1 && fs::exists(sandbox.work() / "store" / "checkpoints")) return;
      for (const char* name : {"records.db", "records.db-wal", "records.db-shm", "store", "m.json"})
        fs::remove_all(sandbox.work() / name);
    }
    FAIL() << "the moments came too late";
  };
  expect_same_end_whatever_fails({kRun, stop_in_training, outcome_of_run});
}

TEST(FailingDisk, HeuristicTry) {
  expect_same_end_whatever_fails(
      {{"mash", "heuristic", "try", "gradient", "--against", "e.yaml", "--set", "heuristics=[gray-histogram]",
        "--seeds", "4", "--db", "records.db", "--store", "store", "--threads", "1"},
       [](const Sandbox& sandbox) { write(sandbox, "e.yaml", experiment(5, 150)); },
       [](const Sandbox& sandbox) {
         return rows(sandbox.work() / "records.db",
                     {"SELECT heuristic, version, dataset, side, base, experiment, pool, first_seed, "
                      "num_seeds, "
                      "num_duels, gain, low, high, standard_error, relevant FROM offer_tests",
                      "SELECT COUNT(*) FROM experiments"}) +
                files_below(sandbox.work());
       }},
      testing::usual_calls({2, 5}));  // it takes a second or two
}

// A process that this machine cannot start is no finding on a heuristic.
TEST(FailingDisk, ACheckBlamesNoHeuristic) {
  constexpr long kTries = 40;
  const Sandbox sandbox;
  const std::vector<std::string> check{"mash", "heuristic", "check", "gradient", "--level", "load", "--json"};
  const auto undisturbed = testing::run_with_failing_call(sandbox, check, 0);
  ASSERT_EQ(undisturbed.result.exit_code, 0) << undisturbed.result.err;
  const long num_calls = std::atol(undisturbed.failed.c_str());
  ASSERT_GT(num_calls, 0);
  long num_errors = 0;
  for (long call = 1; call <= num_calls; call += std::max(1L, num_calls / kTries)) {
    const auto [result, failed] = testing::run_with_failing_call(sandbox, check, call);
    SCOPED_TRACE(fmt::format("call {} of {} failed: {}\nexit code {}\n{}", call, num_calls, failed,
                             result.exit_code, result.err));
    num_errors += result.exit_code != 0;
    EXPECT_TRUE(result.exit_code == 0 || (result.exit_code == 1 && !result.err.empty()));
    EXPECT_EQ(result.out.find(R"("passed": false)"), std::string::npos) << result.out;
  }
  fmt::print("{} calls to a disk, some of which failed once each: {} errors\n", num_calls, num_errors);
}

TEST(FailingDisk, RecordsMerge) {
  const auto two_machines = [](const Sandbox& sandbox) {
    write(sandbox, "e.yaml", experiment(3));
    for (const char* seed : {"1", "2", "3"})
      run(sandbox, {"mash", "run", "e.yaml", "--seed", seed, "--db", *seed == '1' ? "one.db" : "two.db"});
  };
  expect_same_end_whatever_fails(
      {{"mash", "records", "merge", "two.db", "--db", "one.db"}, two_machines, [](const Sandbox& sandbox) {
         std::vector<std::string> queries = newest_experiment();
         queries.push_back("SELECT seed, status, test_error FROM experiments ORDER BY id");
         queries.push_back("SELECT experiment_id, COUNT(*) FROM rounds GROUP BY experiment_id");
         return rows(sandbox.work() / "one.db", queries) + files_below(sandbox.work());
       }});
}

TEST(FailingDisk, DatasetImport) {
  const auto pictures = [](const Sandbox& sandbox) {
    for (int i = 0; i < 4; ++i) {
      const fs::path folder = sandbox.work() / "pictures" / (i % 2 == 0 ? "a" : "b");
      fs::create_directories(folder);
      std::ofstream(folder / (std::to_string(i) + ".pgm")) << "P5 8 8 255\n"
                                                           << std::string(64, char('a' + i));
    }
  };
  expect_same_end_whatever_fails(
      {{"mash", "dataset", "import", "pictures", "--name", "shapes", "--set", "train=2", "--copy"},
       pictures,
       [](const Sandbox& sandbox) {
         std::string all = files_below(sandbox.home());
         for (const auto& entry : fs::recursive_directory_iterator(sandbox.home()))
           if (entry.is_regular_file()) all += file_content(entry.path());
         return all;
       }});
}

std::string whole_folder(const Sandbox& sandbox, const char* name) {
  const fs::path place = sandbox.work() / name;
  std::string all = files_below(sandbox.work());
  if (fs::is_regular_file(place)) return all + file_content(place);
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place)) files.insert(entry.path());
  for (const fs::path& file : files) all += file_content(file);
  return all;
}

TEST(FailingDisk, ExportFeatures) {
  for (const char* format : {"npz", "csv"}) {
    const std::string output = std::string("features.") + format;
    expect_same_end_whatever_fails(
        {{"mash", "export", "features", "--dataset", "digits", "--set", "train=20", "--set", "test=10",
          "--set", "size=16", "--families", "[lbp]", "--format", format, "--output", output},
         [](const Sandbox&) {},
         [&](const Sandbox& sandbox) { return whole_folder(sandbox, output.c_str()); }});
  }
}

TEST(FailingDisk, ExportModelAndRecords) {
  const auto trained = [](const Sandbox& sandbox) {
    write(sandbox, "e.yaml", experiment(3));
    run(sandbox, kRun);
  };
  expect_same_end_whatever_fails(
      {{"mash", "export", "model", "m.json", "--format", "csv", "--output", "tables"},
       trained,
       [](const Sandbox& sandbox) { return whole_folder(sandbox, "tables"); }});
  expect_same_end_whatever_fails(
      {{"mash", "export", "records", "rounds", "curve", "--db", "records.db", "--output", "r.npz"},
       trained,
       [](const Sandbox& sandbox) { return whole_folder(sandbox, "r.npz"); }});
}

TEST(FailingDisk, BackupOfAServer) {
  const auto site = [](const Sandbox& sandbox) {
    fs::create_directory(sandbox.work() / "site");
    ASSERT_TRUE(Records::open(sandbox.work() / "site" / "mash.db").ok());
    run(sandbox, {"mash", "server", "user", "add", "ada", "--folder", "site"});
  };
  expect_same_end_whatever_fails(
      {{"mash", "server", "backup", "copy.db", "--folder", "site"}, site, [](const Sandbox& sandbox) {
         return rows(sandbox.work() / "copy.db",
                     {"SELECT name, role FROM users ORDER BY name", "SELECT COUNT(*) FROM tokens",
                      "SELECT type, name, sql FROM sqlite_schema ORDER BY name"}) +
                files_below(sandbox.work());
       }});
}

#endif

}  // namespace
}  // namespace mash
