// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/checkpoint.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "framework/base/file.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::hypotheses_of;
using testing::ScratchFolder;
using testing::Training;
using testing::World;

const std::vector<std::uint16_t> kLabels{0, 1, 1};

RunState sample_state() {
  RunState state;
  state.result.num_rounds = 7;
  state.model.class_names = {"a", "b"};
  state.model.shape = {8, 8, 1};
  state.model.families = {{"hog", "hog", "1.0.0", {4, 9}, 20}};
  state.model.hypotheses = {{1.0 / 3, {{0, 3, 0.1f}}, {1, -1}, {}},
                            {1e-9, {{0, 0, kConstant}}, {-1, -1}, {}},
                            {0.5, {{0, 7, 1.f}, {0, 8, -2.f}}, {1, -1, -1, 1, -1, -1}, {{1, -3}, {-1, -2}}}};
  state.result.meters = {1, 2, 3, 4, 5.5, {0.25, 0, 0, 0, 0, 1.5}};
  state.result.curve = {{1, -0.1, 0.5, 0.25, 10, 0.1}, {2, -0.2, 0.4, 0.2, 20, 0.2}};
  state.result.families = {{0, 0, 6, 1.5, 0.7}};
  state.looks = {{70, 700}};
  state.events = {{1, {{0, 3, 0.1f}, {0, 4, 0.2f}}, 0.3, 1.0 / 3, -0.1, 10, 0.1},
                  {2, {{0, 0, kConstant}}, 0, 0, -0.1, 20, 0.2}};
  state.log = RoundLog(1);
  state.log.add(1, {-0.1, 0.5}, {1, 2, 3, 4, 5.5, {0.25, 0, 0, 0, 0, 1.5}},
                std::vector<FamilyLooks>{{70, 700}});
  state.train_loss_log10 = -0.123456789012345;
  state.num_idle = 3;
  return state;
}

SignedWeights sample_weights() {
  SignedWeights weights(kLabels, 2);
  double value = 0.1;
  for (double& g : weights.all()) g = value /= -3;
  weights.update_example_weights(Workers(1));
  return weights;
}

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    const Status saved = save_checkpoint(path, "key", sample_state(), sample_weights().all());
    ASSERT_TRUE(saved.ok()) << saved.error().message;
  }
  void expect_refused(std::string_view key = "key") {
    RunState state;
    SignedWeights weights(kLabels, 2);
    EXPECT_FALSE(load_checkpoint(path, key, state, weights.all()));
    EXPECT_EQ(state.result.num_rounds, 0u);
    EXPECT_TRUE(state.events.empty());
    EXPECT_THAT(weights.all(), ::testing::Each(0.0));
  }
  ScratchFolder folder;
  const fs::path path = folder / "run.ckpt";
};

TEST_F(Checkpoint, GivesBackAllThatWasKept) {
  RunState state;
  SignedWeights weights(kLabels, 2);
  ASSERT_TRUE(load_checkpoint(path, "key", state, weights.all()));
  const RunState expected = sample_state();
  const SignedWeights expected_weights = sample_weights();
  EXPECT_TRUE(std::equal(weights.all().begin(), weights.all().end(), expected_weights.all().begin()))
      << "to the last bit";
  EXPECT_EQ(state.model, expected.model);
  EXPECT_EQ(state.result.num_rounds, 7u);
  EXPECT_EQ(state.result.meters.once, 4u);
  EXPECT_EQ(state.result.meters.seconds, 5.5);
  EXPECT_EQ(state.result.meters.phases.draw, 0.25);
  EXPECT_EQ(state.result.meters.phases.scan, 0);
  EXPECT_EQ(state.result.meters.phases.update, 1.5);
  EXPECT_EQ(state.train_loss_log10, expected.train_loss_log10);
  EXPECT_EQ(state.num_idle, 3u);
  ASSERT_EQ(state.events.size(), 2u);
  EXPECT_EQ(state.events[0].cuts, expected.events[0].cuts);
  EXPECT_EQ(state.events[1].cuts[0].threshold, kConstant);
  EXPECT_EQ(state.events[0].alpha, 1.0 / 3);
  EXPECT_EQ(state.events[1].seconds, 0.2);
  ASSERT_EQ(state.result.curve.size(), 2u);
  EXPECT_EQ(state.result.curve[1].test_error, 0.2);
  EXPECT_EQ(state.result.families[0].chosen, 6u);
  EXPECT_EQ(state.looks[0].evaluated, 700u);
}

TEST_F(Checkpoint, OfAnotherRunIsNotUsed) { expect_refused("other"); }

TEST_F(Checkpoint, OfOtherSizesIsNotUsed) {
  const std::vector<std::uint16_t> four{0, 1, 1, 0};
  RunState state;
  SignedWeights weights(four, 2);
  EXPECT_FALSE(load_checkpoint(path, "key", state, weights.all()));
  EXPECT_EQ(state.result.num_rounds, 0u);
}

TEST_F(Checkpoint, MissingIsNotUsed) {
  fs::remove(path);
  expect_refused();
}

TEST_F(Checkpoint, TornAtAnyPlaceIsNotUsed) {
  const std::string whole = *read_file(path);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    ASSERT_NO_FATAL_FAILURE(expect_refused());
  }
}

TEST_F(Checkpoint, WithAnyByteChangedIsNotUsed) {
  const std::string whole = *read_file(path);
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x10);
    std::ofstream(path, std::ios::binary) << damaged;
    ASSERT_NO_FATAL_FAILURE(expect_refused());
  }
}

TEST_F(Checkpoint, FolderThatCannotBeMadeIsAnError) {
  const Status saved = save_checkpoint(path / "below a file", "key", sample_state(), sample_weights().all());
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().kind, ErrorKind::kFailure);
}

TEST(Resume, CorruptCheckpointStartsFromTheBeginning) {
  World world(testing::learnable_table(150, 6, 3, 2));
  Training whole, stopped, resumed;
  for (Training* training : {&whole, &stopped, &resumed}) training->booster.num_rounds = 30;
  stopped.checkpoint = resumed.checkpoint = world.folder / "run.ckpt";
  stopped.stop_after = 12;
  const TrainingResult expected = whole.run(world);
  stopped.run(world);
  ASSERT_TRUE(fs::exists(stopped.checkpoint));
  std::string content = *read_file(stopped.checkpoint);
  content[content.size() / 3] ^= 1;
  std::ofstream(stopped.checkpoint, std::ios::binary) << content;
  EXPECT_EQ(resumed.run(world).model, expected.model);
  EXPECT_EQ(resumed.weak.weights.size(), 30u) << "all rounds were played";
}

TEST(Resume, SaysWhereItGoesOn) {
  World world(testing::learnable_table(150, 6, 3, 2));
  testing::HeardRemarks remarks;
  Training stopped, resumed, again;
  for (Training* training : {&stopped, &resumed, &again}) {
    training->booster.num_rounds = 30;
    training->checkpoint = world.folder / "run.ckpt";
    training->keep_finished = true;
    training->remarks = &remarks;
  }
  stopped.stop_after = 12;
  stopped.run(world);
  EXPECT_TRUE(remarks.told.empty());
  resumed.run(world);
  EXPECT_EQ(remarks.told,
            std::vector<std::string>{fmt::format(
                "seed {}: goes on after round 12 of 30, where it was interrupted", resumed.booster.seed)});
  again.run(world);
  EXPECT_EQ(remarks.told.size(), 1u) << "a finished run does not go on";
}

TEST(Resume, AFinishedRunLeavesNoCheckpoint) {
  World world(testing::learnable_table(150, 6, 3, 2));
  Training training;
  training.booster.num_rounds = 5;
  training.checkpoint = world.folder / "run.ckpt";
  training.run(world);
  EXPECT_FALSE(fs::exists(training.checkpoint));
}

TEST(Resume, AFinishedRunThatIsKeptGivesTheSameResultWithoutARound) {
  World world(testing::learnable_table(150, 6, 3, 2));
  Training first, again;
  for (Training* training : {&first, &again}) {
    training->booster.num_rounds = 5;
    training->checkpoint = world.folder / "run.ckpt";
    training->keep_finished = true;
  }
  const TrainingResult expected = first.run(world);
  ASSERT_TRUE(fs::exists(first.checkpoint));
  const TrainingResult result = again.run(world);
  EXPECT_EQ(result.model, expected.model);
  EXPECT_EQ(result.status, TrainingStatus::kComplete);
  EXPECT_EQ(result.test_scores, expected.test_scores);
  EXPECT_TRUE(again.weak.weights.empty()) << "no round was played again";
}

TEST(Resume, ARunThatEndedEarlyStaysEnded) {
  World world(testing::learnable_table(8, 9, 2, 2));
  Training first, again;
  for (Training* training : {&first, &again}) {
    training->booster.num_rounds = 10'000;
    training->checkpoint = world.folder / "run.ckpt";
    training->keep_finished = true;
  }
  const TrainingResult expected = first.run(world);
  ASSERT_EQ(expected.status, TrainingStatus::kSeparated);
  const TrainingResult result = again.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kSeparated);
  EXPECT_EQ(result.model, expected.model);
}

TEST(Resume, ACheckpointThatCannotBeWrittenIsAnError) {
  World world(testing::learnable_table(150, 6, 3, 2));
  std::ofstream(world.folder / "file") << "x";
  Training training;
  training.booster.num_rounds = 5;
  training.stop_after = 2;
  training.checkpoint = world.folder / "file" / "run.ckpt";
  EXPECT_THROW(training.run(world), std::runtime_error);
}

}  // namespace
}  // namespace mash
