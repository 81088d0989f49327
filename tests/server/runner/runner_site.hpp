// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submissions.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/box.hpp"
#include "tests/support/rows_source.hpp"

namespace mash::testing {

inline constexpr const char* kSmallBoard = R"yaml(
dataset: {name: digits, train: 600, test: 400}
heuristics: [{id: grayscale}, {id: gray-histogram}]
booster: {name: adaboost.mh, rounds: 20}
sampler: {name: laminating, budget: 5, features: 32}
)yaml";

// Nothing where it has ended by now.
inline void send(const ChildProcess& child, int signal) {
  if (child.pid() > 0) ::kill(child.pid(), signal);
}

// A server's folder without its server: what is handed in, and runners over it.
class RunnerSite : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_box()) GTEST_SKIP() << kNoBox;
  }

  std::int64_t hand_in(const std::string& source, const std::string& file_name = "rows.cpp") {
    return *add_submission(records_, {ada_, board_, "", file_name, source, "MIT"});
  }
  ChildCommand command(const std::vector<std::string>& options = {"--until-empty"}) const {
    std::vector<std::string> arguments = {MASH_RUNNER, "--db", folder_ / "mash.db", "--store",
                                          folder_ / "store"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ChildCommand command{arguments};
    command.limits.wall_seconds = 200;  // a runner that does not end is a failure
    return command;
  }
  static ChildProcess start(const ChildCommand& command) {
    auto child = ChildProcess::start(command);
    if (!child.ok()) throw std::runtime_error(child.error().message);
    return *std::move(child);
  }
  void run(const std::vector<std::string>& options = {"--until-empty"}) const {
    const ChildResult result = start(command(options)).wait();
    EXPECT_TRUE(result.succeeded()) << result.err;
  }
  Submission submission(std::int64_t id) const { return **find_submission(records_, id); }
  std::string state_of(std::int64_t id) const { return std::string(word_of(submission(id).state)); }
  std::vector<SubmissionEvent> events(std::int64_t id) const { return *read_events(records_, 0, id, 1000); }
  std::string told(std::int64_t id) const {
    std::string all;
    for (const SubmissionEvent& event : events(id))
      all += fmt::format("[{}] {}\n", word_of(event.state), event.text);
    return all;
  }
  // Empty where there is none.
  std::string page(const std::string& name) const {
    return find_board_page(records_, board_, name)->value_or("");
  }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
  std::int64_t ada_ = *add_user(records_, {0, "ada", "contributor", ""});
  std::int64_t board_ = *put_board(records_, {0, "digits", kSmallBoard, 4});
};

}  // namespace mash::testing
