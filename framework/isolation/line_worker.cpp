// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/line_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mash {
namespace {

constexpr int kLookMilliseconds = 10;      // at the flag that stops, and at what it prints
constexpr std::size_t kMaxLine = 1 << 20;  // what a plugin can make us keep

constexpr std::size_t kStartErrorBytes = 4096;  // kept of what it says where it does not start

struct Channel {
  OwnedDescriptor ours, theirs;
};
// A socket tells of a worker in a box; within a box, where checks start others, there are pipes alone.
Result<Channel> make_channel(bool is_box) {
  int ends[2];
  const int made =
      is_box ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) : ::pipe2(ends, O_CLOEXEC);
  if (made != 0) return failure("no channel for a worker: {}", std::strerror(errno));
  Channel channel{OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])};
  const int on = 1;
  if (is_box && ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
    return failure("no channel for a worker: {}", std::strerror(errno));
  return channel;
}

}  // namespace

Result<LineWorker> LineWorker::start(WorkerTask task, const WorkerPlace& place) {
  MASH_ASSIGN(Channel channel, make_channel(place.is_box()));
  task.descriptors = {channel.theirs.number()};
  task.max_error_bytes = kStartErrorBytes;
  MASH_ASSIGN(ChildProcess process, start_worker(std::move(task), place));
  channel.theirs = OwnedDescriptor();
  const auto pid = hear_first_word(process, channel.ours.number(), kLineWorkerHello);
  if (!pid) {
    const WorkerExit exit = end_worker(process, place.is_box(), 1);
    return failure("a worker did not start: {}; {}", exit.words.empty() ? "it says nothing" : exit.words,
                   exit.errors);
  }
  return LineWorker(std::move(process), *pid, place.is_box(), std::move(channel.ours));
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
  for (;;) {
    if (stop.raised()) return Event::kStopped;
    if (take_line(line)) return Event::kLine;
    // Also while it writes: what is no line yet buys it no time.
    if (counted_seconds(begin_, worker_times(pid_), time_limit_s) > time_limit_s) return Event::kTimeout;
    process_.has_ended();  // takes in what a plugin prints, which would wait for room otherwise
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
