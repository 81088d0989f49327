// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/heuristic_worker.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace mash {
namespace {

constexpr std::size_t kErrorBytes = 4096;  // kept of what a worker writes to stderr
constexpr double kLookSeconds = 0.02;      // between two looks at a worker that has not answered

}  // namespace

double WorkerBudget::picture_seconds(double num_pixels, double num_features) const {
  return pixel_seconds * num_pixels * std::max(1.0, std::log2(num_pixels)) + feature_seconds * num_features;
}

std::optional<WorkerAnswer> read_answer(std::span<const std::byte> message, const WorkerRequest& request,
                                        std::span<const std::byte> output) {
  WorkerAnswer answer;
  if (message.size() != sizeof answer.reply) return std::nullopt;
  std::memcpy(&answer.reply, message.data(), sizeof answer.reply);
  const std::uint32_t text_bytes = answer.reply.text_bytes;
  if (answer.reply.kind != request.kind || text_bytes > kTextBytes ||
      answer.reply.num_faults > kMaxFaultsTold)
    return std::nullopt;
  if (text_bytes == 0) return answer;
  // A copy: the worker may go on writing while it is read.
  const std::string text(reinterpret_cast<const char*>(output.data() + kTextOffset), text_bytes);
  auto words = read_words(text);
  if (words.ok())
    answer.words = *std::move(words);
  else
    answer.words.error = words.error().message;
  return answer;
}

WorkerEnd read_place(std::span<const std::byte> output) {
  const auto& status = *reinterpret_cast<const WorkerStatus*>(output.data());
  const std::uint32_t call = status.call.load();
  WorkerEnd end;
  end.call = call < kWorkerCalls.size() ? kWorkerCalls[call] : "unknown call";
  end.image = status.image.load();
  return end;
}

// The time that a request takes, and the call that it is in.
class HeuristicWorker::Watch {
 public:
  Watch(const HeuristicWorker& worker, const RequestLimits& limits)
      : worker_(worker),
        limits_(limits),
        total_(worker_times(worker.pid_)),
        call_(total_),
        beat_(worker.status().beat.load()) {}

  // In words, once a limit is passed.
  std::string passed_limit() {
    const WorkerTimes times = worker_times(worker_.pid_);
    if (const std::uint64_t beat = worker_.status().beat.load(std::memory_order_acquire); beat != beat_) {
      beat_ = beat;
      call_ = times;
    }
    std::string passed = since(call_, times, limits_.call_seconds);
    if (passed.empty()) passed = since(total_, times, limits_.total_seconds);
    return passed;
  }

 private:
  static std::string since(const WorkerTimes& begin, const WorkerTimes& end, double limit) {
    if (counted_seconds(begin, end, kMostWaits * limit) > limit)
      return fmt::format("took longer than {:.3g} s", limit);
    if (end.processor - begin.processor > limit)
      return fmt::format("took more than {:.3g} s of processor time", limit);
    return "";
  }

  const HeuristicWorker& worker_;
  RequestLimits limits_;
  WorkerTimes total_, call_;
  std::uint64_t beat_;
};

HeuristicWorker::HeuristicWorker(ChildProcess process, bool is_boxed, OwnedDescriptor channel,
                                 SharedBlock input, SharedBlock output)
    : process_(std::move(process)),
      is_boxed_(is_boxed),
      channel_(std::move(channel)),
      input_(std::move(input)),
      output_(std::move(output)) {}

Result<std::unique_ptr<HeuristicWorker>> HeuristicWorker::launch(const OwnedDescriptor& plugin,
                                                                 const WorkerBudget& budget,
                                                                 const WorkerPlace& place) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return failure("no socket for a worker: {}", std::strerror(errno));
  OwnedDescriptor ours(ends[0]);
  const OwnedDescriptor theirs(ends[1]);
  MASH_ASSIGN(SharedBlock input, SharedBlock::make(kInputBytes, WorkerMay::kRead));
  MASH_ASSIGN(SharedBlock output, SharedBlock::make(kOutputBytes, WorkerMay::kWrite));
  MASH_ASSIGN(const OwnedDescriptor own_plugin, opened_again(plugin));
  WorkerTask task;
  task.descriptors = {theirs.number(), own_plugin.number(), input.descriptor(), output.descriptor()};
  task.limits.cpu_seconds = ProcessLimits::kUnlimited;  // each request has limits of its own
  task.max_error_bytes = kErrorBytes;
  const int on = 1;
  if (::setsockopt(ours.number(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
    return failure("no socket for a worker: {}", std::strerror(errno));
  const WorkerStart start{budget.memory_bytes, place.is_box() ? 1u : 0u};
  if (::send(ours.number(), &kServesHost, sizeof kServesHost, MSG_NOSIGNAL) != sizeof kServesHost ||
      ::send(ours.number(), &start, sizeof start, MSG_NOSIGNAL) != sizeof start)
    return failure("nothing can be written to a worker: {}", std::strerror(errno));
  MASH_ASSIGN(ChildProcess process, start_worker(std::move(task), place));
  return std::unique_ptr<HeuristicWorker>(new HeuristicWorker(
      std::move(process), place.is_box(), std::move(ours), std::move(input), std::move(output)));
}

Result<std::unique_ptr<PluginWorker>> HeuristicWorker::start(const OwnedDescriptor& plugin,
                                                             const WorkerBudget& budget,
                                                             const WorkerPlace& place) {
  for (int tries = 1;; ++tries) {
    MASH_ASSIGN(auto worker, launch(plugin, budget, place));
    const Status status = worker->hear_hello();
    if (status.ok()) return std::unique_ptr<PluginWorker>(std::move(worker));
    if (!worker->end().was_killed || tries == kWorkerTries) return status.error();
  }
}

Status HeuristicWorker::hear_hello() {
  const auto pid = hear_first_word(process_, channel_.number(), kWorkerHello);
  if (!pid) {
    give_up("");
    return failure("a worker did not start: {}; {}", end_.end, end_.errors);
  }
  pid_ = *pid;
  return Done{};
}

std::optional<WorkerAnswer> HeuristicWorker::ask(const WorkerRequest& request, const RequestLimits& limits) {
  if (::send(channel_.number(), &request, sizeof request, MSG_NOSIGNAL) != sizeof request) return give_up("");
  std::optional<Watch> watch;  // once it takes long: most requests are answered before the first look
  pollfd wanted{channel_.number(), POLLIN, 0};
  for (;;) {
    const int num_ready = ::poll(&wanted, 1, int(1e3 * kLookSeconds));
    if (num_ready > 0) {
      std::array<std::byte, sizeof(WorkerReply) + 1> message;
      const ssize_t num_bytes = ::recv(channel_.number(), message.data(), message.size(), MSG_DONTWAIT);
      const auto size = std::size_t(std::max<ssize_t>(num_bytes, 0));
      if (auto answer = read_answer(std::span(message).first(size), request, output_.bytes())) return answer;
      return give_up(num_bytes > 0 ? "wrote to the channel of its worker" : "");
    }
    if (process_.has_ended()) return give_up("");
    if (limits.stop != nullptr && limits.stop->raised()) {
      give_up("stopped");
      end_.was_stopped = true;
      return std::nullopt;
    }
    if (!watch) watch.emplace(*this, limits);
    if (std::string passed = watch->passed_limit(); !passed.empty()) return give_up(std::move(passed));
  }
}

std::nullopt_t HeuristicWorker::give_up(std::string how) {
  end_ = read_place(output_.bytes());
  // A worker that has closed its channel is about to end; should it not, it is ended.
  WorkerExit exit = end_worker(process_, is_boxed_, how.empty() ? 1 : 0);
  end_.was_killed = exit.was_killed;
  if (how.empty())
    how = exit.words.empty() ? std::string(kClosedChannel) : words_with_exception(exit.words, exit.exception);
  end_.end = std::move(how);
  end_.errors = std::move(exit.errors);
  return std::nullopt;
}

}  // namespace mash
