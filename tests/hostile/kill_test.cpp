// SPDX-License-Identifier: Apache-2.0
#include "framework/base/random.hpp"
#include "tests/hostile/disturbed_run.hpp"

namespace mash {
namespace {

using testing::DisturbedRun;
using testing::ProgramResult;
using testing::RunningProgram;
using testing::sleep_seconds;
using testing::wait_until;

constexpr int kNumRounds = 2000;

// The same run without any disturbance: its model, and how long its two parts take here.
struct Undisturbed {
  std::string model;
  double extract_seconds = 0, train_seconds = 0;
};

const Undisturbed& undisturbed() {
  static const Undisturbed result = [] {
    const DisturbedRun run(kNumRounds);
    const nlohmann::json json = run.complete();
    return Undisturbed{run.model(), json["extract_seconds"], json["train_seconds"]};
  }();
  return result;
}

// Kills `program` after `begun` holds, some part of `seconds` later; whether it had not ended before.
bool kill_within(RunningProgram& program, const std::function<bool()>& begun, double seconds,
                 RandomStream& random) {
  wait_until(program, begun);
  sleep_seconds(random.uniform() * seconds);
  program.send(SIGKILL);
  const ProgramResult result = program.wait();
  EXPECT_TRUE(result.exit_code == -SIGKILL || result.exit_code == 0) << result.err;
  return result.exit_code == -SIGKILL;
}

TEST(Kill, DuringExtraction) {
  RandomStream random(1, "test: moments in extraction");
  int num_killed = 0;
  for (int attempt = 0; attempt < 7; ++attempt) {
    const DisturbedRun run(kNumRounds);
    RunningProgram program = run.start();
    kill_within(
        program, [&] { return run.has_begun_extraction(); }, 0.9 * undisturbed().extract_seconds, random);
    num_killed += !run.has_begun_training();
    EXPECT_EQ(run.model(), "");
    run.complete();
    run.check_completed(undisturbed().model);
  }
  EXPECT_GE(num_killed, 3) << "the moments missed the extraction";
}

TEST(Kill, DuringTraining) {
  RandomStream random(2, "test: moments in training");
  int num_killed = 0;
  for (int attempt = 0; attempt < 7; ++attempt) {
    const DisturbedRun run(kNumRounds);
    RunningProgram program = run.start();
    num_killed += kill_within(
        program, [&] { return run.has_begun_training(); }, 0.9 * undisturbed().train_seconds, random);
    run.complete();
    if (num_killed > attempt) run.check_completed(undisturbed().model);
  }
  EXPECT_GE(num_killed, 3) << "the moments missed the training";
}

// Stopped by the user, so that there is a checkpoint, then killed while it goes on, and that several times.
TEST(Kill, AfterACheckpoint) {
  RandomStream random(3, "test: moments after a checkpoint");
  const DisturbedRun run(kNumRounds);
  {
    RunningProgram program = run.start();
    wait_until(program, [&] { return run.has_begun_training(); });
    sleep_seconds(0.2 * undisturbed().train_seconds);
    program.send(SIGINT);
    ASSERT_EQ(program.wait().exit_code, 1);
  }
  EXPECT_EQ(run.query("SELECT status FROM experiments"), "stopped");
  int num_killed = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    RunningProgram program = run.start();
    const auto goes_on = [&] { return run.query("SELECT status FROM experiments") == "running"; };
    num_killed += kill_within(program, goes_on, 0.5 * undisturbed().train_seconds, random);
  }
  EXPECT_GE(num_killed, 3) << "the moments missed the training";
  run.complete();
  run.check_completed(undisturbed().model);
}

TEST(Interrupt, KeepsWhatWasDone) {
  const DisturbedRun run(kNumRounds);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.has_begun_training(); });
  sleep_seconds(0.3 * undisturbed().train_seconds);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("stopped; run the same command again to go on"), std::string::npos) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_EQ(json["status"], "stopped");
  const int num_rounds = json["rounds"];
  EXPECT_LT(num_rounds, kNumRounds);
  EXPECT_EQ(run.query("SELECT status FROM experiments"), "stopped");
  EXPECT_EQ(run.query("SELECT num_rounds FROM experiments"), std::to_string(num_rounds));
  EXPECT_EQ(run.query("SELECT COUNT(*) FROM rounds"), std::to_string(num_rounds));
  EXPECT_EQ(run.query("SELECT COUNT(*) FROM finished"), "0") << "half a run is no result";

  const nlohmann::json rest = run.complete();
  EXPECT_EQ(rest["extract_seconds"], 0);
  EXPECT_EQ(rest["rounds"], kNumRounds);
  run.check_completed(undisturbed().model);
}

TEST(Interrupt, DuringExtractionKeepsTiles) {
  const DisturbedRun run(kNumRounds);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.has_begun_extraction(); });
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("stopped"), std::string::npos) << result.err;
  EXPECT_EQ(run.model(), "");
  run.complete();
  run.check_completed(undisturbed().model);
}

}  // namespace
}  // namespace mash
