// SPDX-License-Identifier: Apache-2.0
// An experiment with hostile heuristics among good ones: what the good ones give is what they give alone.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "framework/base/random.hpp"
#include "tests/hostile/disturbed_run.hpp"
#include "tests/support/box.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using testing::ProgramResult;
using testing::RunningProgram;
using testing::Sandbox;
using testing::sleep_seconds;

// The heuristics that end their worker in an experiment, in any isolation.
constexpr const char* kHostile[] = {"segfault-in-compute",
                                    "segfault-in-create",
                                    "abort-in-prepare",
                                    "exit-zero-in-compute",
                                    "exit-139-in-dim",
                                    "exit-zero-in-create",
                                    "overflow-stack-in-prepare",
                                    "abort-in-release",
                                    "answer-for-worker-in-compute",
                                    "segfault-in-dim"};

using Ids = std::vector<std::string>;

// All built-in heuristics.
Ids all_good() {
  Ids ids;
  for (const auto& plugin : std::filesystem::directory_iterator(testing::binary_folder() + "/heuristics"))
    if (plugin.path().extension() == ".so") ids.push_back(plugin.path().stem().string());
  return ids;
}
// A few that are soon computed: moments of a second spread over the whole of a run.
Ids few_good() { return {"grayscale", "gray-histogram", "hog", "lbp", "projections"}; }

// An experiment in a sandbox of its own.
class Trained {
 public:
  Trained(const std::string& isolation, const Ids& good, bool with_hostile) : isolation_(isolation) {
    std::ofstream file(sandbox_.work() / "e.yaml");
    file << "dataset: {name: digits, train: 200, test: 100}\nheuristics:\n";
    for (const std::string& id : good) file << "  - {id: " << id << "}\n";
    if (with_hostile)
      for (const char* id : kHostile) file << "  - {id: hostile/" << id << "}\n";
    file << "booster: {name: adaboost.mh, rounds: 10}\nsampler: {name: laminating}\n";
  }

  RunningProgram start() const {
    return sandbox_.start({"mash", "run", "e.yaml", "--isolation", isolation_, "--heuristics",
                           MASH_HOSTILE_DIR "/every_call.so", "--db", "records.db", "--store", "store",
                           "--model", "model.json", "--threads", "2"});
  }
  ProgramResult run() const { return start().wait(); }
  std::string model() const { return testing::file_content(sandbox_.work() / "model.json"); }

  std::string query(const std::string& sql) const {
    SQLite::Database database((sandbox_.work() / "records.db").string(), SQLite::OPEN_READONLY, 1000);
    SQLite::Statement statement(database, sql);
    return statement.executeStep() ? statement.getColumn(0).getString() : "";
  }

 private:
  Sandbox sandbox_;
  std::string isolation_;
};

// The model of good ones alone.
std::string model_alone(const Ids& good) {
  const Trained alone("none", good, false);
  const ProgramResult result = alone.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(alone.model(), "");
  return alone.model();
}

class HostileExperiment : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "box" && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
};

TEST_P(HostileExperiment, GivesWhatTheGoodOnesGiveAlone) {
  const Trained both(GetParam(), all_good(), true);
  const ProgramResult result = both.run();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(both.model() == model_alone(all_good()));
  for (const char* id : kHostile) {
    EXPECT_THAT(result.err, ::testing::HasSubstr(id)) << "nobody is told of it";
    EXPECT_NE(both.query(std::string("SELECT call FROM incidents WHERE heuristic = 'hostile/") + id + "'"),
              "")
        << id;
  }
  EXPECT_EQ(both.query("SELECT ended FROM incidents WHERE heuristic = 'hostile/exit-zero-in-compute'"),
            "exit code 0");
  EXPECT_EQ(
      both.query(
          "SELECT call FROM incidents WHERE heuristic = 'hostile/segfault-in-compute' AND image % 256 = 0"),
      "compute")
      << "the first image of one of the threads";
}

// A worker that somebody kills is started again; a program that is killed goes on when it is started again.
TEST_P(HostileExperiment, IsCompletedWhoeverIsKilled) {
  constexpr int kNumMoments = 10;
  const std::string expected = model_alone(few_good());
  RandomStream random(1, GetParam());
  for (int moment = 0; moment < kNumMoments; ++moment) {
    const bool kills_worker = moment % 2 == 1;
    const Trained both(GetParam(), few_good(), true);
    {
      RunningProgram program = both.start();
      sleep_seconds(0.05 + random.uniform() * 1.2);
      if (kills_worker)
        program.send_to_a_child(SIGKILL);
      else
        program.send(SIGKILL);
      const ProgramResult result = program.wait();
      const bool was_killed = !kills_worker && result.exit_code == -SIGKILL;
      EXPECT_TRUE(was_killed || result.exit_code == 0) << result.err;
    }
    const ProgramResult again = both.run();
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_TRUE(both.model() == expected) << "moment " << moment;
    EXPECT_EQ(both.query("PRAGMA integrity_check"), "ok");
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, HostileExperiment, ::testing::Values("process", "box"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mash
