// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace mash::testing {

// How a program ended of which one call to a disk failed: tests/support/failing_disk.cpp.
struct DisturbedProgram {
  ProgramResult result;
  std::string failed;  // the call and its file; empty where it ended before that call
};

// Where that library is: the folder of the test programs.
inline std::filesystem::path failing_disk() { return binary_folder() + "/lib/failing_disk.so"; }

// The variables of a program whose call number `call` fails, from 1; report: the file that says so. 0: none
// fails, and the report is how many calls there were.
inline std::vector<std::string> failing_call(long call, const std::filesystem::path& report) {
  return {fmt::format("LD_PRELOAD={}", failing_disk().string()), fmt::format("MASH_FAILING_CALL={}", call),
          fmt::format("MASH_FAILING_REPORT={}", report.string())};
}

// Runs a program; its call number `call` fails, from 1.
inline DisturbedProgram run_with_failing_call(const Sandbox& sandbox,
                                              const std::vector<std::string>& arguments, long call) {
  const std::filesystem::path report = sandbox.root() / "report";
  std::filesystem::remove(report);
  const ProgramResult result = sandbox.run(arguments, failing_call(call, report));
  return {result, file_content(report)};
}

// A command that is to come to the same end whichever of its calls to a disk fails, once it is given again.
struct DisturbedCommand {
  std::vector<std::string> arguments;
  std::function<void(const Sandbox&)> prepare;         // makes what it finds
  std::function<std::string(const Sandbox&)> outcome;  // files and rows that it leaves
};

// The number of calls that fail, one in each try: the first ones, and some of the others at equal distances.
struct DisturbedCalls {
  long first = 12, others = 30;
};
// As many as a test has time for; MASH_FAULTS=1000: that many of the others.
inline DisturbedCalls usual_calls(DisturbedCalls calls = {}) {
  if (const char* text = std::getenv("MASH_FAULTS")) calls.others = std::max(1L, std::atol(text));
  return calls;
}

// Lets one call after the other fail, until the command ends without reaching it. Each time it must end with
// an error, or a warning, and when it is given again leave what an undisturbed one does; where it says
// nothing, it must have left that at once.
inline void expect_same_end_whatever_fails(const DisturbedCommand& command,
                                           const DisturbedCalls& calls = usual_calls()) {
  const Sandbox prepared;
  command.prepare(prepared);
  const auto start_from = [&](const Sandbox& sandbox) {
    for (const char* folder : {"work", "home"})
      std::filesystem::copy(prepared.root() / folder, sandbox.root() / folder,
                            std::filesystem::copy_options::recursive);
  };
  std::string expected;
  long num_calls = 0;
  {
    const Sandbox sandbox;
    start_from(sandbox);
    const DisturbedProgram undisturbed = run_with_failing_call(sandbox, command.arguments, 0);
    ASSERT_EQ(undisturbed.result.exit_code, 0) << undisturbed.result.err;
    num_calls = std::atol(undisturbed.failed.c_str());  // what the library reports where no call is to fail
    ASSERT_GT(num_calls, 0);
    expected = command.outcome(sandbox);
    ASSERT_FALSE(expected.empty());
  }
  const long distance = std::max(1L, (num_calls - calls.first + calls.others - 1) / calls.others);
  long num_tries = 0, num_errors = 0, num_warnings = 0;
  for (long call = 1;; call += call < calls.first ? 1 : distance) {
    const Sandbox sandbox;
    start_from(sandbox);
    const auto [result, failed] = run_with_failing_call(sandbox, command.arguments, call);
    SCOPED_TRACE(fmt::format("call {} of {} failed: {}\nexit code {}\n{}", call, num_calls, failed,
                             result.exit_code, result.err));
    const bool has_warned = result.exit_code == 0 && result.err.find("warning: ") != std::string::npos;
    if (result.exit_code != 0 || has_warned) {
      EXPECT_FALSE(failed.empty());
      EXPECT_TRUE(has_warned || result.exit_code == 1);
      EXPECT_FALSE(result.err.empty());
      EXPECT_EQ(result.err.find("a fault of the program"), std::string::npos);
      const ProgramResult again = sandbox.run(command.arguments);
      EXPECT_EQ(again.exit_code, 0) << "given again: " << again.err;
    }
    EXPECT_EQ(command.outcome(sandbox), expected);
    if (failed.empty() || ::testing::Test::HasFailure()) break;
    ++num_tries;
    num_errors += result.exit_code != 0;
    num_warnings += has_warned;
  }
  fmt::print(
      "{} calls to a disk; each of the first {} and every {} of the others failed once: {} errors, {} "
      "warnings, {} "
      "times nothing was lost\n",
      num_calls, std::min(calls.first, num_calls), distance, num_errors, num_warnings,
      num_tries - num_errors - num_warnings);
}

}  // namespace mash::testing
