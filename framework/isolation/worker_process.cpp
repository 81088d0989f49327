// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_process.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "framework/base/running_program.hpp"

namespace mash {
namespace {

constexpr std::string_view kProgramName = "mash-worker";
constexpr std::chrono::milliseconds kLeastWait{10};  // less of it does not extend a time limit
constexpr std::chrono::milliseconds kLookEvery{50};  // at the flag that stops
constexpr std::size_t kMaxLine = 1 << 20;            // what a plugin can make us keep

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddresses = false;  // sanitizers reserve terabytes
#else
constexpr bool kLimitsAddresses = true;
#endif

}  // namespace

Result<std::filesystem::path> find_worker_program(std::span<const std::filesystem::path> folders) {
  std::vector<std::string> places;
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path file = folder / kProgramName;
    if (::access(file.c_str(), X_OK) == 0) return file;
    places.push_back(file.string());
  }
  return failure("the program {}, which runs plugins apart from this one, is missing; looked for {}",
                 kProgramName, fmt::join(places, ", "));
}

std::vector<std::filesystem::path> worker_folders(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path();
  return {folder, folder.parent_path() / "libexec" / "mash"};
}

ProcessLimits worker_limits() {
  ProcessLimits limits;
  limits.cpu_seconds = 600;
  limits.file_bytes = std::uint64_t(1) << 30;
  if (kLimitsAddresses) limits.address_bytes = std::uint64_t(4) << 30;
  limits.core_bytes = 0;
  return limits;
}

Result<WorkerProcess> WorkerProcess::start(const std::string& request,
                                           const std::vector<std::string>& variables,
                                           const ProcessLimits& limits) {
  MASH_ASSIGN(const std::filesystem::path program, find_worker_program(worker_folders(running_program())));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure("no pipe for a worker: {}", std::strerror(errno));
  ChildCommand command;
  command.arguments = {program.string(), request};
  command.variables = variables;
  command.descriptors = {ends[1]};
  command.max_output_bytes = 0;
  command.limits = limits;
  command.group = ChildCommand::Group::kOwn;
  command.patience_seconds = 0;
  auto process = ChildProcess::start(std::move(command));
  ::close(ends[1]);
  if (process.ok()) return WorkerProcess(*std::move(process), ends[0]);
  ::close(ends[0]);
  return process.error();
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : process_(std::move(other.process_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      unread_(std::move(other.unread_)),
      crash_(std::move(other.crash_)) {}

WorkerProcess::~WorkerProcess() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool WorkerProcess::take_line(std::string& line) {
  for (std::size_t end; (end = unread_.find('\n')) != std::string::npos;) {
    line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    if (!line.starts_with(kCrashMark)) return true;
    crash_ = line.substr(1);
  }
  return false;
}

WorkerProcess::Event WorkerProcess::next_line(std::string& line, double time_limit_s, const StopFlag& stop) {
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit_s));
  const auto begin = Clock::now();
  const auto waited_before = process_.waited_for_processor();
  auto deadline = begin + limit;
  for (;;) {
    if (stop.raised()) return Event::kStopped;
    if (take_line(line)) return Event::kLine;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = left.count() > 0 ? ::poll(&wanted, 1, int(std::min(left, kLookEvery).count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Clock::now() < deadline) continue;
    if (ready <= 0) {
      const Clock::duration waited = process_.waited_for_processor() - waited_before;
      const auto later = begin + limit + std::min(waited, kMostWaits * limit);
      if (later < deadline + kLeastWait) return Event::kTimeout;
      deadline = later;
      continue;
    }
    char buffer[4096];
    const ssize_t num_bytes = ::read(descriptor_, buffer, sizeof buffer);
    if (num_bytes <= 0 || unread_.size() > kMaxLine) return Event::kEnd;
    unread_.append(buffer, std::size_t(num_bytes));
  }
}

std::string WorkerProcess::how_it_ended() {
  // What has closed its answer is about to end; should it not, it is ended.
  if (!process_.wait_for(1)) process_.end();
  const ExitStatus status = process_.wait().status;
  return status.succeeded() ? "" : status.describe();
}

}  // namespace mash
