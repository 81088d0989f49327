// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/line_worker.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/support/box.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(WorkerProgram, IsLookedForBesideTheProgramAndInLibexec) {
  EXPECT_THAT(worker_folders("/usr/bin/mash"), ElementsAre("/usr/bin", "/usr/libexec/mash"));
}

TEST(WorkerProgram, IsTheFirstThatCanBeRun) {
  const testing::ScratchFolder folder;
  const fs::path first = folder / "first", second = folder / "second";
  const std::vector<fs::path> folders{first, second};
  for (const fs::path& place : folders) fs::create_directory(place);
  const auto missing = find_worker_program(folders);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(missing.error().message,
              AllOf(HasSubstr("mash-worker"), HasSubstr(first.string()), HasSubstr(second.string())));
  for (const fs::path& place : folders) std::ofstream(place / "mash-worker") << "#!/bin/sh\n";
  fs::permissions(second / "mash-worker", fs::perms::owner_all);
  EXPECT_EQ(*find_worker_program(folders), second / "mash-worker") << "the first is no program";
  fs::permissions(first / "mash-worker", fs::perms::owner_all);
  EXPECT_EQ(*find_worker_program(folders), first / "mash-worker");
}

const StopFlag never;
constexpr const char* kOfAMissingPlugin = R"({"plugin": "/nonexistent.so", "heuristic_idx": 0})";
// A step of a check (framework/checks/step.hpp), without bytes behind it.
constexpr const char* kLoad =
    R"({"step":"load","instance":0,"name":"","values":[],"size":[0,0],"frame":[0,0,1],"num_values":0,"fill":0,)"
    R"("num_cycles":0,"seconds":0,"num_indices":0,"pictures":[],"bytes":0})"
    "\n";

TEST(UncaughtException, IsFoundInWhatAProgramWrites) {
  const std::string begin = "a word before\nterminate called after throwing an instance of '";
  const std::pair<std::string, std::string> rows[] = {
      {begin + "std::runtime_error'\n  what():  no file\n", "uncaught std::runtime_error: no file"},
      {begin + "std::runtime_error'\n  what():  ", "uncaught std::runtime_error: "},
      {begin + "int'\n", "uncaught int"},
      {begin + "int", ""},
      {"  what():  no file\n", ""},
      {"terminate called without an active exception\n", ""},
      {"", ""}};
  for (const auto& [written, found] : rows) EXPECT_EQ(uncaught_exception(written), found) << written;
}

// On a machine that is busy with others what hangs ends all the same.
TEST(CountedSeconds, WaitsForAProcessorAreTakenOffUpToABound) {
  const WorkerTimes begin{std::chrono::steady_clock::time_point{}, 5, 0};
  WorkerTimes end{begin.wall + std::chrono::seconds(100), 85, 0};
  EXPECT_DOUBLE_EQ(counted_seconds(begin, end, 1000), 20);
  EXPECT_DOUBLE_EQ(counted_seconds(begin, end, 60), 40);
  end.waited = 4;
  EXPECT_DOUBLE_EQ(counted_seconds(begin, end, 60), 100) << "no wait is less than none";
}

TEST(LineWorker, ItsClockTellsTheWaitsThatItTookOff) {
  auto worker = LineWorker::start(kOfAMissingPlugin, {}, {});
  ASSERT_TRUE(worker.ok()) << worker.error().message;
  worker->start_clock(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GE(worker->seconds(), .05) << "no wait is taken off";
  EXPECT_EQ(worker->waits(), 0);
  worker->start_clock(1e-9);
  EXPECT_LE(worker->waits(), 1e-9);
}

// The test lies beside the worker in the build's folder.
TEST(LineWorker, TellsHowItEnded) {
  auto worker = LineWorker::start(R"({"plugin": 3})", {}, {});
  ASSERT_TRUE(worker.ok()) << worker.error().message;
  std::string line;
  EXPECT_EQ(worker->next_line(line, 60, never), LineWorker::Event::kEnd);
  EXPECT_EQ(worker->how_it_ended(), "signal 6 (ABRT)");
  EXPECT_EQ(worker->crash(), "signal 6 (ABRT)");
}

TEST(LineWorker, ThatDoesNotStartIsAFailureOfThePlace) {
  for (const Isolation isolation : {Isolation::kProcess, Isolation::kBox}) {
    if (isolation == Isolation::kBox && !testing::has_box()) continue;
    const auto worker = LineWorker::start("not a request", {}, {isolation});
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().kind, ErrorKind::kFailure);
    EXPECT_THAT(worker.error().message,
                AllOf(HasSubstr("did not start: exit code 2"), HasSubstr("it does nothing by itself")));
  }
}

// A box has files of its own, and none of that name either.
class LineWorkerIn : public ::testing::TestWithParam<Isolation> {};

TEST_P(LineWorkerIn, AnswersEachRequestWithALine) {
  if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  auto worker = LineWorker::start(kOfAMissingPlugin, {}, {GetParam()});
  ASSERT_TRUE(worker.ok()) << worker.error().message;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(worker->send(kLoad, 60, never), LineWorker::Event::kLine);
    std::string line;
    EXPECT_EQ(worker->next_line(line, 60, never), LineWorker::Event::kLine);
    EXPECT_THAT(line, HasSubstr("no such file"));
  }
  std::string bytes;
  EXPECT_EQ(worker->next_bytes(bytes, 1, 0.1, never), LineWorker::Event::kTimeout) << "it waits to be asked";
}

INSTANTIATE_TEST_SUITE_P(Isolations, LineWorkerIn, ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST(LineWorker, IsNotWaitedForOnceTheFlagIsRaised) {
  auto worker = LineWorker::start(kOfAMissingPlugin, {}, {});
  ASSERT_TRUE(worker.ok()) << worker.error().message;
  StopFlag stop;
  stop.raise();
  std::string line;
  EXPECT_EQ(worker->send(kLoad, 60, never), LineWorker::Event::kLine);
  EXPECT_EQ(worker->next_line(line, 60, stop), LineWorker::Event::kStopped);
  EXPECT_EQ(worker->next_line(line, 60, never), LineWorker::Event::kLine) << "it is still there";
}

}  // namespace
}  // namespace mash
