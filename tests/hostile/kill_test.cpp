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

// Run once for each program, before the first disturbance.
const Undisturbed& undisturbed() {
  static const Undisturbed result = [] {
    const DisturbedRun run(kNumRounds);
    const nlohmann::json json = run.complete();
    return Undisturbed{run.model(), json["extract_seconds"], json["train_seconds"]};
  }();
  return result;
}

// Kills `program` at a random moment of the `seconds` after `begun` holds. Whether it was killed: it may have
// ended.
bool kill_within(RunningProgram& program, const std::function<bool()>& begun, double seconds,
                 RandomStream& random) {
  wait_until(program, begun);
  sleep_seconds(random.uniform() * seconds);
  program.send(SIGKILL);
  const ProgramResult result = program.wait();
  EXPECT_TRUE(result.exit_code == -SIGKILL || result.exit_code == 0) << result.err;
  return result.exit_code == -SIGKILL;
}

// Kills such runs at moments of the `seconds` after begun(run), until three were hit: wherein(run) held. What
// took `seconds` once may take less now, so that a moment that came too late halves them.
template <class Begun, class Wherein>
void kill_three_times(double seconds, const char* stream, const Begun& begun, const Wherein& wherein) {
  const std::string expected_model = undisturbed().model;
  RandomStream random(1, stream);
  int num_hit = 0;
  for (int attempt = 0; attempt < 40 && num_hit < 3; ++attempt) {
    const DisturbedRun run(kNumRounds);
    RunningProgram program = run.start();
    const bool killed = kill_within(
        program, [&] { return begun(run); }, seconds, random);
    const bool hit = killed && wherein(run);
    num_hit += hit;
    if (!hit) seconds /= 2;
    run.complete_and_check(expected_model);
  }
  EXPECT_EQ(num_hit, 3) << "the moments came too late";
}

TEST(Kill, DuringExtraction) {
  kill_three_times(
      0.9 * undisturbed().extract_seconds, "test: moments in extraction",
      [](const DisturbedRun& run) { return run.has_store(); },
      [](const DisturbedRun& run) { return !run.is_training(); });
}

// Values by content are there as a whole or not at all, and the codes that follow from them are the same.
TEST(Kill, DuringExtractionIntoAStoreThatKeepsValues) {
  const Undisturbed& expected = undisturbed();
  RandomStream random(4, "test: moments while values are kept");
  const DisturbedRun run(kNumRounds);
  run.keep_values();
  int num_killed = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    RunningProgram program = run.start();
    if (!kill_within(
            program, [] { return true; }, 0.7 * expected.extract_seconds, random))
      break;
    ++num_killed;
    EXPECT_EQ(run.store()["values"], "keep") << "the store can be read";
  }
  EXPECT_GE(num_killed, 2) << "the moments missed the extraction";
  run.complete_and_check(expected.model);
  std::size_t num_by_content = 0;
  const nlohmann::json store = run.store();
  for (const auto& family : store["families"]) num_by_content += family["by_content"] == true;
  EXPECT_EQ(num_by_content, 4u);
}

TEST(Kill, DuringTraining) {
  const auto is_training = [](const DisturbedRun& run) { return run.is_training(); };
  kill_three_times(0.9 * undisturbed().train_seconds, "test: moments in training", is_training, is_training);
}

// Stopped by the user, so that there is a checkpoint, then killed again and again while it goes on from
// there.
TEST(Kill, AfterACheckpoint) {
  const Undisturbed& expected = undisturbed();
  RandomStream random(3, "test: moments after a checkpoint");
  const DisturbedRun run(kNumRounds);
  const auto begun = [&] { return run.is_training(); };
  {
    RunningProgram program = run.start();
    wait_until(program, begun);
    sleep_seconds(0.1 * expected.train_seconds);
    program.send(SIGINT);
    ASSERT_EQ(program.wait().exit_code, 1);
    EXPECT_EQ(run.query("SELECT status FROM experiments"), "stopped");
  }
  int num_killed = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    RunningProgram program = run.start();
    if (!kill_within(program, begun, 0.15 * expected.train_seconds, random)) break;
    ++num_killed;
  }
  EXPECT_GE(num_killed, 2) << "the moments missed the training";
  run.complete_and_check(expected.model);
}

// The first seed is finished when the second is killed: its result is taken over, not added once more.
TEST(Kill, BetweenSeeds) {
  const DisturbedRun run(kNumRounds, 2);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.query("SELECT MAX(id) FROM experiments") == "2"; });
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, -SIGKILL);
  ASSERT_EQ(run.query("SELECT status FROM experiments WHERE id = 1"), "complete");
  const nlohmann::json json = run.complete();
  EXPECT_EQ(json["experiment_ids"], nlohmann::json({1, 2}));
  EXPECT_EQ(run.query("SELECT COUNT(*) FROM experiments WHERE status = 'complete'"), "2");
  EXPECT_EQ(run.query("SELECT COUNT(*) FROM rounds"), std::to_string(2 * kNumRounds));
  EXPECT_EQ(run.num_checkpoints(), 0u);
}

// A seed that is not in the records is not done, even if the store remembers it.
TEST(Kill, BetweenSeedsAndTheRecordsAreLost) {
  const DisturbedRun run(kNumRounds, 2);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.query("SELECT MAX(id) FROM experiments") == "2"; });
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, -SIGKILL);
  run.remove_records();
  EXPECT_EQ(run.complete()["experiment_ids"], nlohmann::json({1, 2}));
  EXPECT_EQ(run.query("SELECT COUNT(DISTINCT seed) FROM experiments WHERE status = 'complete'"), "2");
}

TEST(Interrupt, KeepsWhatWasDone) {
  const Undisturbed& expected = undisturbed();
  const DisturbedRun run(kNumRounds);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.is_training(); });
  sleep_seconds(0.1 * expected.train_seconds);
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
  EXPECT_EQ(run.model(), "") << "half a model would pass for a whole one";

  run.complete_and_check(expected.model);
}

TEST(Interrupt, DuringExtraction) {
  const Undisturbed& expected = undisturbed();
  const DisturbedRun run(kNumRounds);
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.has_store(); });
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("stopped"), std::string::npos) << result.err;
  run.complete_and_check(expected.model);
}

TEST(Interrupt, OfFeaturesOnDemandEndsWithinTheRound) {
  constexpr int kFewRounds = 60;
  const std::vector<std::string> on_demand{"--store-limit", "0"};
  const DisturbedRun whole(kFewRounds, 1, on_demand), run(kFewRounds, 1, on_demand);
  const double seconds = whole.complete()["train_seconds"];
  RunningProgram program = run.start();
  wait_until(program, [&] { return run.is_training(); });
  sleep_seconds(0.3 * seconds);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("stopped; run the same command again to go on"), std::string::npos) << result.err;
  EXPECT_EQ(run.model(), "") << "half a model would pass for a whole one";
  run.complete();
  EXPECT_EQ(run.model(), whole.model());
}

}  // namespace
}  // namespace mash
