// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "framework/base/progress.hpp"
#include "server/runner/queue.hpp"

namespace mash::server {

// Does something every `seconds` beside the work, in a thread, as long as it lives.
class Beat {
 public:
  Beat(double seconds, std::function<void()> tick);
  ~Beat();
  Beat(const Beat&) = delete;
  Beat& operator=(const Beat&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool has_ended_ = false;
  std::thread thread_;
};

// Says at most every kReportSeconds that this runner lives, and what it works at.
inline constexpr double kReportSeconds = 4;
class RunnerReport {
 public:
  explicit RunnerReport(std::optional<std::int64_t> submission_id = {}) : submission_id_(submission_id) {}
  // Where it is time to. Errors: the database; it is tried again at the next call.
  Status say(Records& records);

 private:
  std::optional<std::int64_t> submission_id_;
  std::optional<Stopwatch> since_;  // it was said
};

// Beside the work at a submission: renews its lease, and stops the work when the lease is lost, when the
// runner is to stop, or when the patience is over. Work that does not stop then for kGraceSeconds is given
// up: the submission fails, and with it this program ends, for it cannot end a thread of its own.
class Heartbeat {
 public:
  static constexpr double kGraceSeconds = 30;

  // All of these outlive it. grace_seconds: in place of kGraceSeconds.
  Heartbeat(const QueueSettings& settings, const Lease& lease, const WorkContext& runner, StopFlag& work,
            double grace_seconds = kGraceSeconds);

  // Another piece of work begins, which may take as long again.
  void begin_anew() { began_at_ = watch_.seconds(); }
  // The submission has come to this state.
  void enter(SubmissionState state) { state_ = state; }
  // Whether the work was stopped because it took too long.
  bool is_overdue() const { return is_overdue_; }
  // Whose fault that is: the contributor's from the compiling of their code on.
  Blame overdue_fault() const;

 private:
  void tick();
  void renew();
  void look_at_time();
  [[noreturn]] void give_up();

  const QueueSettings& settings_;
  const Lease lease_;
  const WorkContext& runner_;
  StopFlag& work_;
  const double grace_seconds_;
  const Stopwatch watch_;
  std::atomic<double> began_at_ = 0;
  std::atomic<bool> is_overdue_ = false;
  std::atomic<SubmissionState> state_ = SubmissionState::kReceived;
  std::optional<Records> records_;  // of the thread
  Stopwatch since_renewal_;
  RunnerReport report_;
  Beat beat_;  // last: the others are there when it begins
};

// The reason of a submission whose time was over.
std::string overdue_reason(const QueueSettings& settings);

}  // namespace mash::server
