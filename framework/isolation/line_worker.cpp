// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/line_worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
Result<Channel> make_channel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failure("no channel for a worker: {}", std::strerror(errno));
  Channel channel{OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])};
  const int on = 1;
  if (::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
    return failure("no channel for a worker: {}", std::strerror(errno));
  return channel;
}

}  // namespace

Result<LineWorker> LineWorker::start(const std::string& request, WorkerTask task, const WorkerPlace& place) {
  MASH_ASSIGN(Channel channel, make_channel());
  std::string first(reinterpret_cast<const char*>(&kServesChecks), sizeof kServesChecks);
  first += request + "\n";
  if (::send(channel.ours.number(), first.data(), first.size(), MSG_DONTWAIT | MSG_NOSIGNAL) !=
      ssize_t(first.size()))
    return failure("nothing can be written to a worker: {}", std::strerror(errno));
  task.descriptors.insert(task.descriptors.begin(), channel.theirs.number());
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

void LineWorker::start_clock(double most_waits) {
  begin_ = worker_times(pid_);
  own_begin_ = worker_times(::gettid());
  most_waits_ = most_waits;
}

WorkerTimes LineWorker::times_now() const {
  WorkerTimes now = worker_times(pid_);
  now.waited += std::max(0.0, worker_times(::gettid()).waited - own_begin_.waited);
  return now;
}

double LineWorker::seconds() const { return counted_seconds(begin_, times_now(), most_waits_); }

double LineWorker::waits() const { return std::clamp(times_now().waited - begin_.waited, 0.0, most_waits_); }

bool LineWorker::take_bytes(std::string& bytes, std::size_t count) {
  if (unread_.size() < count) return false;
  bytes = unread_.substr(0, count);
  unread_.erase(0, count);
  return true;
}

template <class IsDone>
LineWorker::Event LineWorker::take_in(const IsDone& is_done, std::size_t most_unread, double time_limit_s,
                                      const StopFlag& stop) {
  std::array<char, 1 << 16> buffer;
  for (;;) {
    if (stop.raised()) return Event::kStopped;
    if (is_done()) return Event::kLine;
    // Also while it writes: what is no line yet buys it no time.
    if (seconds() > time_limit_s) return Event::kTimeout;
    process_.has_ended();  // takes in what a plugin prints, which would wait for room otherwise
    pollfd wanted{answer_.number(), POLLIN, 0};
    if (::poll(&wanted, 1, kLookMilliseconds) <= 0) continue;
    const ssize_t num_bytes = ::read(answer_.number(), buffer.data(), buffer.size());
    says_too_much_ = num_bytes > 0 && unread_.size() > most_unread;
    if (num_bytes <= 0 || says_too_much_) return Event::kEnd;
    unread_.append(buffer.data(), std::size_t(num_bytes));
  }
}

LineWorker::Event LineWorker::next_line(std::string& line, double time_limit_s, const StopFlag& stop) {
  return take_in([&] { return take_line(line); }, kMaxLine, time_limit_s, stop);
}

LineWorker::Event LineWorker::next_bytes(std::string& bytes, std::size_t count, double time_limit_s,
                                         const StopFlag& stop) {
  return take_in([&] { return take_bytes(bytes, count); }, count + kMaxLine, time_limit_s, stop);
}

LineWorker::Event LineWorker::send(std::string_view bytes, double time_limit_s, const StopFlag& stop) {
  while (!bytes.empty()) {
    if (stop.raised()) return Event::kStopped;
    if (seconds() > time_limit_s) return Event::kTimeout;
    const ssize_t num_bytes =
        ::send(answer_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (num_bytes > 0) bytes.remove_prefix(std::size_t(num_bytes));
    if (num_bytes < 0 && errno != EAGAIN && errno != EINTR) return Event::kEnd;
    if (num_bytes >= 0) continue;
    process_.has_ended();
    pollfd wanted{answer_.number(), POLLOUT, 0};
    ::poll(&wanted, 1, kLookMilliseconds);
  }
  return Event::kLine;
}

std::string LineWorker::how_it_ended() {
  WorkerExit exit = end_worker(process_, is_boxed_, 1);
  exception_ = std::move(exit.exception);
  if (exit.status.succeeded()) return "";
  if (!exit.words.empty()) return exit.words;
  return says_too_much_ ? exit.status.describe() : std::string(kClosedChannel);
}

}  // namespace mash
