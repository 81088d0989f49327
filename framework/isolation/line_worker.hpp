// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "framework/base/progress.hpp"
#include "framework/isolation/shared_block.hpp"
#include "framework/isolation/worker_process.hpp"

namespace mash {

// Where a worker reads what it is asked and writes its answers: a socket.
inline constexpr int kWorkerDescriptor = 3;
// The number that it writes there first, before any code of a plugin has run.
inline constexpr std::uint64_t kLineWorkerHello = 0x656e'696c'6873'616d;
// Begins the line in which a worker says how it crashes.
inline constexpr char kCrashMark = '!';

// A worker that is asked and answers in lines, which bytes may follow.
//
//   1. start runs it, up to its first word.
//   2. send asks it; next_line and next_bytes give what it writes. After kTimeout it is still there.
//   3. After kEnd: how_it_ended, crash, exception.
//   4. The destructor kills it and all that it has started.
class LineWorker {
 public:
  // request: a line, without its end, which it reads first. task: its descriptors arrive as 4, 5, ...
  // Errors (kFailure): those of start_worker; it does not start.
  static Result<LineWorker> start(const std::string& request, WorkerTask task, const WorkerPlace& place);

  enum class Event { kLine, kEnd, kTimeout, kStopped };
  // Waits for a line of its answer, without its end, until the flag is raised or the clock is at
  // `time_limit_s`, which are counted_seconds. A line about a crash is none: crash() has it.
  Event next_line(std::string& line, double time_limit_s, const StopFlag& stop);
  // The same for a number of bytes.
  Event next_bytes(std::string& bytes, std::size_t count, double time_limit_s, const StopFlag& stop);
  // Writes to it; kLine once all is written.
  Event send(std::string_view bytes, double time_limit_s, const StopFlag& stop);
  // The clock is at 0; it is when the worker starts. most_waits: seconds of waits for a processor that do not
  // count.
  void start_clock(double most_waits);
  // counted_seconds since then. Waits of this thread do not count either: while it waits, an answer may lie
  // there.
  double seconds() const;
  // The waits since then that do not count.
  double waits() const;
  // In words; "" for a good end.
  std::string how_it_ended();
  // The worker's words on a crash of its own (a line that begins with kCrashMark); "" without one.
  const std::string& crash() const { return crash_; }
  // The exception that ended it (WorkerExit::exception), once how_it_ended was asked; "" without one.
  const std::string& exception() const { return exception_; }

 private:
  LineWorker(ChildProcess process, int pid, bool is_boxed, OwnedDescriptor answer)
      : process_(std::move(process)), pid_(pid), is_boxed_(is_boxed), answer_(std::move(answer)) {
    start_clock(kMostWaits);
  }
  // Until now, with the waits of this thread.
  WorkerTimes times_now() const;
  // Whether a whole line has come; it is cut off `unread_`.
  bool take_line(std::string& line);
  // Whether that number of bytes has come; they are cut off `unread_`.
  bool take_bytes(std::string& bytes, std::size_t count);
  // Waits until `is_done`, with at most `most_unread` bytes unread.
  template <class IsDone>
  Event take_in(const IsDone& is_done, std::size_t most_unread, double time_limit_s, const StopFlag& stop);

  ChildProcess process_;
  int pid_;  // of the worker, which a box makes another than the process that was started
  bool is_boxed_;
  OwnedDescriptor answer_;
  WorkerTimes begin_, own_begin_;
  double most_waits_ = 0;
  std::string unread_;
  bool says_too_much_ = false;  // more than anybody takes in
  std::string crash_, exception_;
};

}  // namespace mash
