// SPDX-License-Identifier: Apache-2.0
//
// Operations on sources of heuristics, stopped.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "framework/operations/offers/exhaustive_trial.hpp"
#include "framework/operations/workshop/build.hpp"
#include "framework/operations/workshop/check.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// $CXX is a compiler that works for ever; it makes the file `started` when it begins.
class Stopping : public ::testing::Test {
 protected:
  Stopping() {
    std::ofstream(folder_ / "compiler")
        << "#!/bin/sh\n[ \"$1\" = --version ] && exit\n: >" << started_.string() << "\nsleep 1000 & wait\n";
    fs::permissions(folder_ / "compiler", fs::perms::owner_all);
    std::ofstream(source_) << "#include <mash/heuristic.hpp>\n";
    ::setenv("CXX", (folder_ / "compiler").c_str(), 1);
  }
  ~Stopping() override {
    ::unsetenv("CXX");
    is_over_ = true;
    if (stopper_.joinable()) stopper_.join();
  }

  // Work that is stopped as soon as the compiler runs.
  const WorkContext& stopped_while_compiling() {
    stopper_ = std::thread([&] {
      while (!fs::exists(started_) && !is_over_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      stop_.raise();
    });
    return work_;
  }

  static void expect_stopped(const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::kStopped) << error.message;
  }

  const testing::ScratchFolder folder_;
  const fs::path started_ = folder_ / "started", source_ = folder_ / "mine.cpp";

 private:
  StopFlag stop_;
  const Workers workers_{1};
  const WorkContext work_{workers_, no_progress(), no_remarks(), stop_};
  std::atomic<bool> is_over_{false};  // the work, stopped or not
  std::thread stopper_;
};

TEST_F(Stopping, EndsTheCompilerOfABuild) {
  const BuildResult result = build_heuristic({.place = source_}, stopped_while_compiling());
  ASSERT_FALSE(result.status.ok());
  expect_stopped(result.status.error());
  EXPECT_FALSE(fs::exists(folder_ / "mine.so"));
}

TEST_F(Stopping, EndsTheCompilerOfACheck) {
  const auto checked = check_heuristics({.names = {source_}}, stopped_while_compiling());
  ASSERT_FALSE(checked.result.ok());
  expect_stopped(checked.result.error());
}

TEST_F(Stopping, EndsTheCompilerOfATrial) {
  const auto tried = try_exhaustively({{.heuristic = source_}}, stopped_while_compiling());
  ASSERT_FALSE(tried.result.ok());
  expect_stopped(tried.result.error());
}

}  // namespace
}  // namespace mash
