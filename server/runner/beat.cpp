// SPDX-License-Identifier: Apache-2.0
#include "server/runner/beat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace mash::server {

Beat::Beat(double seconds, std::function<void()> tick)
    : thread_([this, seconds, tick = std::move(tick)] {
        std::unique_lock lock(mutex_);
        while (!has_ended_) {
          lock.unlock();
          tick();
          lock.lock();
          wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return has_ended_; });
        }
      }) {}

Beat::~Beat() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Status RunnerReport::say(Records& records) {
  if (since_ && since_->seconds() < kReportSeconds) return Done{};
  MASH_TRY(report_runner(records, submission_id_));
  since_.emplace();
  return Done{};
}

Heartbeat::Heartbeat(const QueueSettings& settings, const Lease& lease, const WorkContext& runner,
                     StopFlag& work, double grace_seconds)
    : settings_(settings),
      lease_(lease),
      runner_(runner),
      work_(work),
      grace_seconds_(grace_seconds),
      report_(lease.submission_id),
      beat_(std::min(0.1, settings.lease_seconds / 10), [this] { tick(); }) {}

void Heartbeat::tick() {
  if (runner_.stop.raised()) work_.raise();
  look_at_time();
  renew();
}

void Heartbeat::renew() {
  if (!records_) {
    auto opened = Records::open(settings_.places.database);
    if (!opened.ok()) return;  // the next beat tries again; without any the lease runs out
    records_.emplace(*std::move(opened));
  }
  (void)report_.say(*records_);  // as above
  if (since_renewal_.seconds() < settings_.lease_seconds / 4) return;
  const Status renewed = renew_lease(*records_, lease_, settings_.lease_seconds);
  if (renewed.ok()) since_renewal_ = {};
  if (!renewed.ok() && renewed.error().kind == ErrorKind::kStopped) work_.raise();
}

void Heartbeat::look_at_time() {
  const double over = watch_.seconds() - began_at_ - settings_.patience_seconds;
  if (over < 0) return;
  is_overdue_ = true;
  work_.raise();
  if (over > grace_seconds_) give_up();
}

void Heartbeat::give_up() {
  runner_.remarks.warn(fmt::format("submission {}: does not stop; this runner ends", lease_.submission_id));
  if (records_)
    (void)end_submission(*records_, lease_, SubmissionState::kFailed, overdue_reason(settings_),
                         overdue_fault(), watch_.seconds());
  std::_Exit(1);
}

Blame Heartbeat::overdue_fault() const {
  const SubmissionState state = state_;
  // From its compiling on, what it is decides how long each step takes: its code, and its number of features.
  const bool is_theirs = state == SubmissionState::kCompiling || state == SubmissionState::kValidating ||
                         state == SubmissionState::kExtracting || state == SubmissionState::kJudging;
  return is_theirs ? Blame::kContributor : Blame::kServer;
}

std::string overdue_reason(const QueueSettings& settings) {
  return fmt::format("its judging took longer than {} s and was stopped", settings.patience_seconds);
}

}  // namespace mash::server
