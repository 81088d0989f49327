// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

namespace mash {
namespace {

constexpr std::chrono::milliseconds kLeastWait{10};  // less of it does not extend a time limit
constexpr std::size_t kMaxLine = 1 << 20;            // what a plugin can make us keep

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddresses = false;  // sanitizers reserve terabytes
#else
constexpr bool kLimitsAddresses = true;
#endif

// The environment with `changes` on top.
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> variables = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name(*entry, std::strcspn(*entry, "=") + 1);
    const bool is_changed = std::any_of(changes.begin(), changes.end(),
                                        [&](const std::string& change) { return change.starts_with(name); });
    if (!is_changed) variables.emplace_back(*entry);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void limit(__rlimit_resource resource, std::uint64_t value) {
  const rlimit limits{value, value};
  ::setrlimit(resource, &limits);
}

// In the child, between fork and exec: calls of the system only.
[[noreturn]] void become_worker(int answer, const WorkerLimits& limits, char* const* argv,
                                char* const* variables) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {0, 1, 2}) ::dup2(nothing, descriptor);
  ::dup2(answer, kWorkerDescriptor);
  ::close_range(kWorkerDescriptor + 1, ~0u, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, std::uint64_t(limits.cpu_seconds) + 1);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  if (kLimitsAddresses) limit(RLIMIT_AS, limits.address_bytes);
  ::execve("/proc/self/exe", argv, variables);
  ::_exit(127);
}

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const nlohmann::json& request,
                                           const std::vector<std::string>& variables,
                                           const WorkerLimits& limits) {
  std::vector<std::string> arguments{"mash", kWorkerWords[0], kWorkerWords[1], request.dump()};
  std::vector<std::string> environment = changed_environment(variables);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure("no pipe for a worker: {}", std::strerror(errno));
  const pid_t pid = ::fork();
  if (pid == 0) {
    // Out of the way of the number that it shall have.
    const int answer = ::fcntl(ends[1], F_DUPFD, kWorkerDescriptor + 1);
    become_worker(answer, limits, argv.data(), envp.data());
  }
  const int fork_error = errno;
  ::close(ends[1]);
  if (pid > 0) return WorkerProcess(pid, ends[0]);
  ::close(ends[0]);
  return failure("no process for a worker: {}", std::strerror(fork_error));
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      unread_(std::move(other.unread_)),
      crash_(std::move(other.crash_)) {}

WorkerProcess::~WorkerProcess() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (pid_ > 0) kill_and_reap();
}

WorkerProcess::Event WorkerProcess::next_line(std::string& line, double time_limit_s) {
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit_s));
  const auto begin = Clock::now();
  const auto waited_before = waited_for_processor();
  auto deadline = begin + limit;
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (!line.starts_with(kCrashMark)) return Event::kLine;
      crash_ = line.substr(1);
      continue;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wanted, 1, int(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      const auto waited = waited_for_processor() - waited_before;
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

WorkerProcess::Clock::duration WorkerProcess::waited_for_processor() const {
  std::ifstream file(fmt::format("/proc/{}/schedstat", pid_));  // a kernel without it counts nothing
  std::uint64_t run_ns = 0, waited_ns = 0;
  if (!(file >> run_ns >> waited_ns)) return {};
  return std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(waited_ns));
}

std::string WorkerProcess::how_it_ended() {
  // What has closed its answer is about to end; should it not, it is ended.
  for (int i = 0; i < 1000 && !has_ended(); ++i) ::usleep(1000);
  const int status = kill_and_reap();
  if (WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    return fmt::format("signal {} ({})", WTERMSIG(status), name ? name : "?");
  }
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit code {}", WEXITSTATUS(status));
}

bool WorkerProcess::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, id_t(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

int WorkerProcess::kill_and_reap() {
  ::kill(-pid_, SIGKILL);  // what it has started goes too
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

}  // namespace mash
