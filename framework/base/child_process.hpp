// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// What a program left behind when it ended.
struct ChildResult {
  int exit_code = 0;  // where a signal ended it: 128 + the signal
  std::string out, err;

  bool succeeded() const { return exit_code == 0; }
};

// A program that runs beside this one, with nothing to read. What it writes is kept in memory, so it never
// waits for its reader. It is told to end (SIGTERM) when this program ends, however that comes.
class ChildProcess {
 public:
  // kOurs: Ctrl-C at the terminal reaches it as well. kOwn: only we end it, with all that it started.
  enum class Group { kOurs, kOwn };

  // arguments[0] is found as a shell finds it. Errors (kFailure): it cannot be started.
  static Result<ChildProcess> start(std::vector<std::string> arguments, Group group = Group::kOurs);

  // Ends it where it still runs: SIGTERM and, when that does not help within two seconds, SIGKILL.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  int pid() const { return pid_; }  // 0: it has ended
  bool has_ended();
  // Until it ends. REQUIRES: called once
  ChildResult wait();

 private:
  ChildProcess(int pid, Group group, int out, int err) : pid_(pid), group_(group), out_(out), err_(err) {}
  void end();

  int pid_;
  Group group_;
  int status_ = 0;
  int out_, err_;  // files in memory; -1: another's by now
};

// Starts a program and waits until it ends. Errors (kFailure): it cannot be started.
Result<ChildResult> run_child(std::vector<std::string> arguments);

}  // namespace mash
