// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/child_process.hpp"
#include "framework/base/result.hpp"
#include "framework/isolation/box.hpp"
#include "framework/isolation/control_group.hpp"
#include "framework/isolation/isolation.hpp"

// The program mash-worker, which runs a plugin's code for this one: how it is started, how long it may take
// and how it ended. Another program and not a fork of this one: a forked child would have the addresses, the
// locale and the heap of its parent, which is what some checks must vary, and its locks.
namespace mash {

// How many times its time limit a worker may wait for a processor beside it.
inline constexpr int kMostWaits = 60;

// The file of the program: in the first of `folders` that has it. Errors (kFailure): none has.
Result<std::filesystem::path> find_worker_program(std::span<const std::filesystem::path> folders);
// Where it is looked for: beside `program` (as in a build's folder bin), then in <prefix>/libexec/mash for
// <prefix>/bin/PROGRAM.
std::vector<std::filesystem::path> worker_folders(const std::filesystem::path& program);

// The purpose of a worker: the first word on its descriptor 3. No argument and no variable says it: a plugin
// can read those, and shall not see there whether it is checked.
inline constexpr std::uint64_t kServesHost = 0x7473'6f68'6873'616d, kServesChecks = 0x6b63'6568'6873'616d;

// The exit code of a worker whose channel the plugin has closed.
inline constexpr int kLostChannel = 93;
inline constexpr std::string_view kClosedChannel = "closed the channel of its worker";

// Limits of a worker unless its task says otherwise.
ProcessLimits worker_limits();

// Where workers run. REQUIRES: the folder and the group outlive them.
struct WorkerPlace {
  Isolation isolation = Isolation::kProcess;
  std::filesystem::path scratch{};      // $TMPDIR of a worker that is in no box
  const ControlGroup* group = nullptr;  // that boxes enter; may be missing

  bool is_box() const { return isolation == Isolation::kBox; }
};

// The program, limits and channels that a worker is started with.
struct WorkerTask {
  std::vector<std::string> variables = {};  // "NAME=VALUE", to set in its environment
  std::vector<int> descriptors = {};        // arrive as 3, 4, ...
  ProcessLimits limits = worker_limits();
  std::size_t max_error_bytes = 0;  // that are kept of what it writes to stderr, the last
  BoxPlan box = {};                 // of a box
};

// Errors (kFailure): there is no worker program, no process, or no box that holds (check_box).
Result<ChildProcess> start_worker(WorkerTask task, const WorkerPlace& place);

inline constexpr double kStartSeconds = 30;  // that a worker may take until its first word

// Waits for a worker's first word, which it writes before any code of a plugin has run. channel: our end of a
// pipe, or of a socket with SO_PASSCRED. Gives the worker's number as this process knows it, which a box
// makes another than that of the process that was started, and of which a socket tells; nothing where the
// word does not come in time, or is another.
std::optional<int> hear_first_word(ChildProcess& process, int channel, std::uint64_t word);

// Time that a process has used up until now.
struct WorkerTimes {
  std::chrono::steady_clock::time_point wall;
  double waited = 0;     // seconds in which its first thread was ready to run and another had the processor
  double processor = 0;  // seconds, of all its threads
};
// Seconds of processor time that a process has used, of all its threads; 0 where nobody knows it.
double processor_seconds_of(int pid);
// pid: 0 where nobody knows it; the clock on the wall is all there is then.
WorkerTimes worker_times(int pid);
// Seconds on the wall between two readings, less the waits for a processor: other programs may take every
// processor, but what a worker itself starts, or a machine that is too busy, buys it most_waits seconds.
double counted_seconds(const WorkerTimes& begin, const WorkerTimes& end, double most_waits);

// How a worker ended.
struct WorkerExit {
  ExitStatus status;
  std::string words;        // "signal 11 (SEGV)", "exit code 0"; "" where it had to be ended
  std::string exception;    // that ended it because nobody caught it, as uncaught_exception has it; or ""
  bool was_killed = false;  // by SIGKILL, and not by us
  std::string errors;       // the last that it wrote to stderr, printable
};
// "uncaught std::runtime_error: no file", of what a C++ program writes to stderr where nobody catches an
// exception; "" where there is nothing of that kind.
std::string uncaught_exception(std::string_view errors);
// The words, and the exception behind them.
std::string words_with_exception(std::string_view words, std::string_view exception);
// Ends it, unless it ends within that time by itself.
WorkerExit end_worker(ChildProcess& process, bool is_boxed, double patience_seconds);

}  // namespace mash
