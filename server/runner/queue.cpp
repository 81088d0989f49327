// SPDX-License-Identifier: Apache-2.0
#include "server/runner/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "framework/isolation/box_layers.hpp"

namespace mash::server {
namespace {

// Renews a lease beside the work, and stops the work when the lease is lost or the runner is to stop.
class Heartbeat {
 public:
  Heartbeat(const QueueSettings& settings, const Lease& lease, const StopFlag& runner, StopFlag& work)
      : thread_([&settings, lease, &runner, &work, this] { beat(settings, lease, runner, work); }) {}
  ~Heartbeat() {
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void beat(const QueueSettings& settings, const Lease& lease, const StopFlag& runner, StopFlag& work) {
    using Seconds = std::chrono::duration<double>;
    auto records = Records::open(settings.places.database);
    Stopwatch since_renewal;
    std::unique_lock lock(mutex_);
    while (!has_ended_ && !work.raised()) {
      wake_.wait_for(lock, Seconds(std::min(0.1, settings.lease_seconds / 10)));
      if (runner.raised()) work.raise();
      if (since_renewal.seconds() < settings.lease_seconds / 4) continue;
      if (!records.ok()) records = Records::open(settings.places.database);
      if (!records.ok()) continue;  // the next beat tries again; without any the lease runs out
      const Status renewed = renew_lease(*records, lease, settings.lease_seconds);
      if (!renewed.ok() && renewed.error().kind == ErrorKind::kStopped) work.raise();
      if (renewed.ok()) since_renewal = {};
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool has_ended_ = false;
  std::thread thread_;
};

class Queue {
 public:
  Queue(const QueueSettings& settings, Records records, const WorkContext& work)
      : settings_(settings), records_(std::move(records)), work_(work) {}

  Status run() {
    while (!work_.stop.raised()) {
      MASH_ASSIGN(const auto lease, take_submission(records_, settings_.lease_seconds));
      if (lease) {
        const Status judged = judge(*lease);
        if (!judged.ok() && judged.error().kind != ErrorKind::kStopped) return judged;
      } else if (settings_.ends_when_empty) {
        return Done{};
      } else {
        std::this_thread::sleep_for(std::chrono::duration<double>(settings_.poll_seconds));
      }
    }
    return Done{};
  }

 private:
  JudgingObserver observer(const Lease& lease) {
    return {[this, lease](SubmissionState state, std::string_view text) {
              return enter_state(records_, lease, state, text);
            },
            [this, lease](std::string_view text) { return add_event(records_, lease, text); },
            [this, lease](const HeuristicInfo& info) {
              return name_submission(records_, lease, info.id, info.version, info.summary);
            }};
  }

  // Errors: kStopped: the lease was lost or the runner is stopped; the database.
  Status judge(const Lease& lease) {
    const Stopwatch watch;
    MASH_ASSIGN(const auto submission, find_submission(records_, lease.submission_id));
    StopFlag stop;
    const Heartbeat heartbeat(settings_, lease, work_.stop, stop);
    const WorkContext work{work_.workers, work_.progress, work_.remarks, stop};
    work_.remarks.tell(fmt::format("submission {}: taken", lease.submission_id));
    MASH_ASSIGN(const auto outcome, judge_on_its_board(*submission, lease, work));
    const double seconds = watch.seconds();
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
      work_.remarks.tell(fmt::format("submission {}: {}: {}", lease.submission_id, word_of(refusal->state),
                                     refusal->reason));
      return end_submission(records_, lease, refusal->state, refusal->reason, refusal->fault, seconds);
    }
    work_.remarks.tell(fmt::format("submission {}: published after {:.1f} s", lease.submission_id, seconds));
    return publish_submission(records_, lease, std::get<Judgement>(outcome), seconds);
  }

  Result<std::variant<Judgement, Refusal>> judge_on_its_board(const Submission& submission,
                                                              const Lease& lease, const WorkContext& work) {
    MASH_ASSIGN(const auto boards, read_boards(records_));
    const auto board = std::ranges::find(boards, submission.board_id, &Board::id);
    auto known = prepared_.find(board->id);
    if (known == prepared_.end() || known->second.board.experiment != board->experiment) {
      MASH_TRY(add_event(records_, lease, "preparing the board"));
      auto prepared = prepare_board(*board, settings_.places, work);
      if (!prepared.ok() && prepared.error().kind == ErrorKind::kStopped) return prepared.error();
      if (!prepared.ok())
        return std::variant<Judgement, Refusal>(
            Refusal{SubmissionState::kFailed, Blame::kServer, prepared.error().message});
      known = prepared_.insert_or_assign(board->id, *std::move(prepared)).first;
    }
    known->second.board = *board;
    return judge_submission(submission, known->second, settings_.places, observer(lease), work);
  }

  const QueueSettings& settings_;
  Records records_;
  const WorkContext& work_;
  std::map<std::int64_t, PreparedBoard> prepared_;  // by the numbers of boards
};

}  // namespace

Status run_queue(const QueueSettings& settings, const WorkContext& work) {
  MASH_TRY(check_box());
  MASH_ASSIGN(Records records, Records::open(settings.places.database));
  return Queue(settings, std::move(records), work).run();
}

}  // namespace mash::server
