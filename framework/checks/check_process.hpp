// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/checks/check.hpp"
#include "framework/checks/step.hpp"
#include "framework/isolation/line_worker.hpp"
#include "framework/isolation/system_calls.hpp"

namespace mash::checks {

struct CheckTarget;

// Where the processes of checks run, and what they get.
struct CheckPlace {
  Isolation isolation = Isolation::kProcess;
  const ControlGroup* group = nullptr;      // of boxes
  std::vector<std::string> variables = {};  // "NAME=VALUE", to set in their environment
  Threads threads = Threads::kRefused;      // in a box
  bool has_sanitizers = false;              // whose memory has no limit
  std::filesystem::path log = {};           // a file that its stderr goes to
};

// A process with a plugin, asked by checks.
//
//   1. start runs it: no code of the plugin has run.
//   2. ask, any number of times. begin_check gives the check that begins its time.
//   3. After an error of ask, end() says whether the process has ended with it; then nothing more can be
//   asked.
//   4. The destructor ends it.
class CheckProcess {
 public:
  // target, stop: outlive it. Errors (kFailure): it cannot be started.
  static Result<std::unique_ptr<CheckProcess>> start(const CheckTarget& target, const CheckPlace& place,
                                                     const StopFlag& stop);

  // The answer with `num_values` values, or with any number up to kAnyNumber. Errors: in the heuristic's
  // words (kInput); the process has ended, or says what it was not asked for (kInput); kStopped.
  static constexpr std::size_t kAnyNumber = std::size_t(-1);
  Result<StepAnswer> ask(const Step& step, std::size_t num_values = 0);
  // The time of a check is what its steps take together.
  void begin_check() { seconds_ = waits_ = 0; }

  // How it came to its end, as a finding; nothing while it is there.
  const std::optional<Finding>& end() const { return end_; }
  // How the processor rounds there since the last step.
  std::uint32_t arithmetic() const { return arithmetic_; }
  // The first lines that the heuristic logged.
  const std::vector<std::string>& log() const { return log_; }

 private:
  CheckProcess(const CheckTarget& target, const StopFlag& stop, ScratchFolder folder, LineWorker worker)
      : target_(target), stop_(stop), folder_(std::move(folder)), worker_(std::move(worker)) {}

  double seconds_left() const;
  Result<StepAnswer> exchange(const Step& step, std::size_t num_values);
  Result<AnswerLine> next_answer();
  // Whether the line is one of a log, which is kept.
  bool take_log(const std::string& line);
  // Goes on where the event is a line. Errors: it is the end, which is noted; kStopped.
  Status expect_line(LineWorker::Event event);
  Error end_with(Finding found);

  const CheckTarget& target_;
  const StopFlag& stop_;
  ScratchFolder folder_;  // $TMPDIR; outlives the worker
  LineWorker worker_;
  double seconds_ = 0;  // that the steps of the check took
  double waits_ = 0;    // beside them, for a processor
  std::uint32_t arithmetic_ = 0;
  std::size_t num_log_lines_ = 0;
  std::vector<std::string> log_;
  std::optional<Finding> end_;
};

}  // namespace mash::checks
