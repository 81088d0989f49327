// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.hpp"

namespace mash::testing {

// A small experiment with a store, records and a model of its own, to be disturbed while it runs.
class DisturbedRun {
 public:
  // options: of mash run, beside those that it always has.
  explicit DisturbedRun(int num_rounds, int num_seeds = 1, std::vector<std::string> options = {})
      : num_rounds_(num_rounds), options_(std::move(options)) {
    std::ofstream(sandbox_.work() / "e.yaml")
        << "dataset: {name: digits, train: 500, test: 200}\nheuristics: [hog, fourier, gradient, "
           "patch-sums]\n"
        << "booster: {name: adaboost.mh, rounds: " << num_rounds
        << "}\nsampler: {name: laminating}\nruns: " << num_seeds << "\n";
  }

  // From now on the store keeps values by the content of pictures.
  void keep_values() const {
    EXPECT_EQ(sandbox_.run({"mash", "store", "set", "values=keep", "--store", "store"}).exit_code, 0);
  }
  // The text that `mash store list` prints.
  nlohmann::json store() const { return run_to_end({"mash", "store", "list", "--store", "store", "--json"}); }

  RunningProgram start() const { return sandbox_.start(command("model.json")); }

  // To the end, which must be a good one; what it printed.
  nlohmann::json complete() const { return run_to_end(command("model.json")); }

  // The first column of the first row; "" where there is none, nor a table yet.
  std::string query(const std::string& sql) const {
    try {
      SQLite::Database database((sandbox_.work() / "records.db").string(), SQLite::OPEN_READONLY, 1000);
      SQLite::Statement statement(database, sql);
      return statement.executeStep() ? statement.getColumn(0).getString() : "";
    } catch (const SQLite::Exception&) {
      return "";
    }
  }

  void remove_records() const {
    for (const char* file : {"records.db", "records.db-wal", "records.db-shm"})
      std::filesystem::remove(sandbox_.work() / file);
  }

  // Whether it trains now.
  bool is_training() const {
    return std::filesystem::exists(sandbox_.work() / "records.db") &&
           query("SELECT COUNT(*) FROM experiments WHERE status = 'running'") == "1";
  }
  // Whether extraction has begun.
  bool has_store() const { return std::filesystem::exists(sandbox_.work() / "store"); }
  std::size_t num_checkpoints() const {
    const std::filesystem::directory_iterator files(sandbox_.work() / "store" / "checkpoints");
    return std::size_t(std::distance(begin(files), end(files)));
  }
  // "" before it is written.
  std::string model() const { return file_content(sandbox_.work() / "model.json"); }

  // Runs it to the end and checks what must hold then, after any disturbance.
  void complete_and_check(const std::string& expected_model) const {
    // An unfinished experiment is taken over, and a finished one is not trained again.
    complete();
    EXPECT_FALSE(expected_model.empty());
    EXPECT_TRUE(model() == expected_model) << "the model is another than that of an undisturbed run";
    EXPECT_EQ(query("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(query("PRAGMA foreign_key_check"), "");
    EXPECT_EQ(query("SELECT COUNT(*) FROM experiments WHERE status = 'complete'"), "1");
    EXPECT_EQ(query("SELECT COUNT(*) FROM experiments"), "1");
    EXPECT_EQ(query("SELECT COUNT(DISTINCT round) FROM rounds WHERE experiment_id = (SELECT MAX(id) FROM "
                    "experiments)"),
              std::to_string(num_rounds_));
    EXPECT_EQ(query("SELECT COUNT(*) FROM predictions"), "200");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox_.work() / "store"))
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
    std::vector<std::string> one_round = command("another.json");
    one_round.insert(one_round.end(), {"--set", "booster.rounds=1"});
    EXPECT_EQ(run_to_end(one_round)["extract_seconds"], 0) << "the store is not whole";
  }

 private:
  std::vector<std::string> command(const char* model) const {
    std::vector<std::string> command{"mash",    "run",   "e.yaml",    "--json", "--db",    "records.db",
                                     "--store", "store", "--threads", "2",      "--model", model};
    command.insert(command.end(), options_.begin(), options_.end());
    return command;
  }

  nlohmann::json run_to_end(const std::vector<std::string>& arguments) const {
    const ProgramResult result = sandbox_.run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  Sandbox sandbox_;
  int num_rounds_;
  std::vector<std::string> options_;
};

// Until `holds`, or the program ends, or a minute is over.
inline void wait_until(RunningProgram& program, const std::function<bool()>& holds) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!holds() && !program.has_ended() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(1ms);
}

inline void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace mash::testing
