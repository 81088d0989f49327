// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/line_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mash {
namespace {

constexpr int kLookMilliseconds = 50;      // at the flag that stops
constexpr std::size_t kMaxLine = 1 << 20;  // what a plugin can make us keep

}  // namespace

Result<LineWorker> LineWorker::start(WorkerTask task, const WorkerPlace& place) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure("no pipe for a worker: {}", std::strerror(errno));
  OwnedDescriptor ours(ends[0]);
  const OwnedDescriptor theirs(ends[1]);
  task.descriptors = {theirs.number()};
  MASH_ASSIGN(ChildProcess process, start_worker(std::move(task), place));
  return LineWorker(std::move(process), place.is_box(), std::move(ours));
}

bool LineWorker::take_line(std::string& line) {
  for (std::size_t end; (end = unread_.find('\n')) != std::string::npos;) {
    line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    if (!line.starts_with(kCrashMark)) return true;
    crash_ = line.substr(1);
  }
  return false;
}

LineWorker::Event LineWorker::next_line(std::string& line, double time_limit_s, const StopFlag& stop) {
  const int pid = is_boxed_ ? 0 : process_.pid();
  const WorkerTimes begin = worker_times(pid);
  for (;;) {
    if (stop.raised()) return Event::kStopped;
    if (take_line(line)) return Event::kLine;
    // Also while it writes: what is no line yet buys it no time.
    if (counted_seconds(begin, worker_times(pid), time_limit_s) > time_limit_s) return Event::kTimeout;
    pollfd wanted{answer_.number(), POLLIN, 0};
    if (::poll(&wanted, 1, kLookMilliseconds) <= 0) continue;
    char buffer[4096];
    const ssize_t num_bytes = ::read(answer_.number(), buffer, sizeof buffer);
    if (num_bytes <= 0 || unread_.size() > kMaxLine) return Event::kEnd;
    unread_.append(buffer, std::size_t(num_bytes));
  }
}

std::string LineWorker::how_it_ended() {
  const WorkerExit exit = end_worker(process_, is_boxed_, 1);
  if (exit.status.succeeded()) return "";
  return exit.words.empty() ? exit.status.describe() : exit.words;
}

}  // namespace mash
