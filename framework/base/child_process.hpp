// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// How a program came to its end.
struct ExitStatus {
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: it ended by itself

  bool succeeded() const { return exit_code == 0 && signal == 0; }
  // "exit code 3", "signal 11 (SEGV)".
  std::string describe() const;
};

// Output and exit of a program that ended.
struct ChildResult {
  ExitStatus status;
  std::string out, err;
  bool is_cut = false;     // more was written than is kept
  bool timed_out = false;  // it was ended when its wall time was over

  bool succeeded() const { return status.succeeded(); }
};

// Limits of what a program may use up.
struct ProcessLimits {
  double wall_seconds = std::numeric_limits<double>::infinity();  // watched by has_ended, wait_for and wait
  std::uint64_t cpu_seconds = kUnlimited;                         // then SIGXCPU, and SIGKILL
  std::uint64_t file_bytes = kUnlimited;                          // of one file that it writes; then SIGXFSZ
  std::uint64_t address_bytes = kUnlimited;
  std::uint64_t core_bytes = kUnlimited;  // of the core file that a crash leaves; 0: none
  std::uint64_t open_files = kUnlimited;
  std::uint64_t processes = kUnlimited;  // of its user, threads counted each; root has no such limit

  static constexpr std::uint64_t kUnlimited = ~std::uint64_t(0);
  static constexpr std::uint64_t kSecondsAfterSignal = 1;  // from SIGXCPU to SIGKILL, of processor time
};

// Whom a program runs as, in the group of the same number and in no others. Only root has the choice.
struct ChildUser {
  uid_t id = 0;
  bool adds_process_id = false;  // to `id`: then no two programs that run are the same user
};

// A program to start, and what it gets.
struct ChildCommand {
  std::vector<std::string> arguments;    // arguments[0] is found as a shell finds it
  std::vector<std::string> variables{};  // "NAME=VALUE": its environment, on top of ours
  bool inherits_environment = true;      // false: `variables` are all that there is
  std::filesystem::path folder{};        // to work in; empty: ours
  std::optional<ChildUser> user{};       // without one: ours
  // Files cgroup.procs of the control groups that it enters before it begins.
  std::vector<std::filesystem::path> control_groups{};
  std::vector<int> descriptors{};       // copies of these of ours are its 3, 4, ...; no others reach it
  std::vector<std::string> contents{};  // it may read these, each as a file, at the descriptors that follow
  std::uint64_t max_output_bytes = std::uint64_t(64)
                                   << 20;  // kept of stdout and of stderr; 0: all is dropped
  bool shares_output = false;              // its stdout and stderr are ours, and nothing of them is kept
  enum class Keeps { kBeginning, kEnd } keeps = Keeps::kBeginning;  // where more is written than is kept
  ProcessLimits limits{};
  // kOurs: Ctrl-C at the terminal reaches it as well. kOwn: only we end it, with all that it has started.
  enum class Group { kOurs, kOwn } group = Group::kOurs;
  int niceness = 0;             // on top of ours: 19 leaves the processors to all others
  double patience_seconds = 2;  // between SIGTERM and SIGKILL when it is ended; 0: SIGKILL at once
  // The signal that it gets when this program ends first; 0: SIGTERM where there is patience, else SIGKILL.
  int death_signal = 0;
};

// A program that runs beside this one, with nothing to read. It ends when this program ends, in any way.
//
//   1. start runs it.
//   2. has_ended and wait_for look after it: they take in what it writes, so that it hardly ever waits, and
//      end it when its time is over.
//   3. wait gives what it left behind, once.
//   4. The destructor ends it where it still runs: SIGTERM and, after `patience_seconds`, SIGKILL; a group of
//      its own as a whole.
class ChildProcess {
 public:
  // Errors (kFailure): it cannot be started; why.
  static Result<ChildProcess> start(ChildCommand command);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  int pid() const { return pid_; }  // 0: it has ended
  bool has_ended() { return wait_for(0); }
  // Whether it ends within that time.
  bool wait_for(double seconds);
  // Until it ends. REQUIRES: called once.
  ChildResult wait();
  // Ends it as the destructor does.
  void end();
  // The part of stdout and of stderr that has been taken in.
  const std::string& out_so_far() const { return out_.content; }
  const std::string& err_so_far() const { return err_.content; }

 private:
  using Clock = std::chrono::steady_clock;
  // A pipe from the child, and what came out of it.
  struct Stream {
    int descriptor = -1;  // -1: closed by now, or never opened
    std::string content;
  };

  ChildProcess(const ChildCommand& command, int pid);
  void take_in(Stream& stream);
  void sleep_until(Clock::time_point time);
  bool can_be_reaped() const;
  void reap();

  int pid_;
  ChildCommand::Group group_;
  double patience_seconds_;
  std::uint64_t max_output_bytes_;
  ChildCommand::Keeps keeps_;
  Clock::time_point deadline_;
  Stream out_, err_;
  ChildResult result_;
  bool has_given_result_ = false;
};

// Starts a program, in a group of its own, and waits until it ends, or for so long: then it is ended. Errors:
// it cannot be started (kFailure); the flag is raised (kStopped), and then the program and all that it has
// started are ended.
Result<ChildResult> run_child(std::vector<std::string> arguments, const StopFlag& stop,
                              double wall_seconds = std::numeric_limits<double>::infinity());

}  // namespace mash
