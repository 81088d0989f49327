// SPDX-License-Identifier: Apache-2.0
#include "framework/base/child_process.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr int kFirstDescriptor = 3;                 // of those that a child is given
constexpr std::chrono::milliseconds kLookEvery{5};  // at a child that has closed its output but not ended

// Both ends of a pipe, closed with this unless taken.
class Pipe {
 public:
  Pipe() = default;
  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool open() { return ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  int take_read_end() { return std::exchange(ends_[0], -1); }
  void close_write_end() { ::close(std::exchange(ends_[1], -1)); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Files that are nowhere but in memory and can no longer be changed; closed with this.
class ContentFiles {
 public:
  ContentFiles() = default;
  ~ContentFiles() {
    for (const int descriptor : descriptors_) ::close(descriptor);
  }
  ContentFiles(const ContentFiles&) = delete;
  ContentFiles& operator=(const ContentFiles&) = delete;

  bool add(std::string_view content) {
    const int descriptor = ::memfd_create("content", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return false;
    descriptors_.push_back(descriptor);
    while (!content.empty()) {
      const ssize_t count = ::write(descriptor, content.data(), content.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      content.remove_prefix(std::size_t(count));
    }
    return ::lseek(descriptor, 0, SEEK_SET) == 0 &&
           ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
  }
  const std::vector<int>& descriptors() const { return descriptors_; }

 private:
  std::vector<int> descriptors_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// All "NAME=VALUE" of the child.
std::vector<std::string> environment_of(const ChildCommand& command) {
  std::vector<std::string> variables = command.variables;
  if (!command.inherits_environment) return variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name(*entry, std::min(std::strlen(*entry), std::strcspn(*entry, "=") + 1));
    const bool is_changed = std::any_of(command.variables.begin(), command.variables.end(),
                                        [&](const std::string& change) { return change.starts_with(name); });
    if (!is_changed) variables.emplace_back(*entry);
  }
  return variables;
}

// All that a child needs between vfork and exec, made before: in between it shares our memory, whose locks
// other threads may hold, and may do no more than call the system.
struct Preparation {
  const ChildCommand& command;
  std::vector<char*> arguments, environment;
  const std::vector<int>& given;  // our numbers of its 3, 4, ...
  std::vector<int> moved;         // room for as many
  pid_t parent;
  int out, err;  // -1: dropped
  int reason;    // where the number of the error goes when exec fails
};

// more: by how much the hard limit, at which the program is killed, lies above `value`.
void limit(__rlimit_resource resource, std::uint64_t value, std::uint64_t more = 0) {
  if (value == ProcessLimits::kUnlimited) return;
  const rlimit limits{value, value + more};
  ::setrlimit(resource, &limits);
}

// Gives the child its descriptors. False where that fails.
bool place_descriptors(Preparation& child) {
  const int first_free = kFirstDescriptor + int(child.given.size());
  // Out of the way of the numbers that the others shall have.
  child.reason = ::fcntl(child.reason, F_DUPFD_CLOEXEC, first_free);
  for (std::size_t i = 0; i < child.moved.size(); ++i)
    child.moved[i] = ::fcntl(child.given[i], F_DUPFD_CLOEXEC, first_free);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (::dup2(nothing, 0) < 0 || ::dup2(child.out < 0 ? nothing : child.out, 1) < 0 ||
      ::dup2(child.err < 0 ? nothing : child.err, 2) < 0)
    return false;
  for (std::size_t i = 0; i < child.moved.size(); ++i)
    if (::dup2(child.moved[i], kFirstDescriptor + int(i)) < 0) return false;
  return ::close_range(unsigned(first_free), ~0u, CLOSE_RANGE_CLOEXEC) == 0;
}

bool enter(const std::filesystem::path& control_group) {
  const int file = ::open(control_group.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool has_entered = ::write(file, "0", 1) == 1;  // 0: the process that writes
  ::close(file);
  return has_entered;
}

// For good: the real, the effective and the saved user and group. Not by the C library's functions, which
// would change our own threads with them.
bool become_user(const ChildUser& user) {
  const uid_t id = user.id + (user.adds_process_id ? uid_t(::getpid()) : 0);
  return ::syscall(SYS_setgroups, 0, nullptr) == 0 && ::syscall(SYS_setresgid, id, id, id) == 0 &&
         ::syscall(SYS_setresuid, id, id, id) == 0;
}

// Becomes the program; gives the number of the error where that fails.
int become(Preparation& child) {
  const ChildCommand& command = child.command;
  if (command.group == ChildCommand::Group::kOwn) ::setsid();  // a group that no terminal reaches
  if (command.niceness > 0) ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + command.niceness);
  for (const std::filesystem::path& group : command.control_groups)
    if (!enter(group)) return errno;
  if (command.user && !become_user(*command.user)) return errno;
  // After the user has changed, which would undo it.
  const int usual_signal = command.patience_seconds > 0 ? SIGTERM : SIGKILL;
  ::prctl(PR_SET_PDEATHSIG, command.death_signal != 0 ? command.death_signal : usual_signal);
  if (::getppid() != child.parent) ::_exit(1);  // it ended before the line above
  if (!place_descriptors(child)) return errno;
  std::signal(SIGXFSZ, SIG_DFL);  // which we may ignore, and a program would go on to ignore
  if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0) return errno;
  limit(RLIMIT_CPU, command.limits.cpu_seconds, ProcessLimits::kSecondsAfterSignal);
  limit(RLIMIT_FSIZE, command.limits.file_bytes);
  limit(RLIMIT_AS, command.limits.address_bytes);
  limit(RLIMIT_CORE, command.limits.core_bytes);
  limit(RLIMIT_NOFILE, command.limits.open_files);
  limit(RLIMIT_NPROC, command.limits.processes);
  ::execvpe(child.arguments[0], child.arguments.data(), child.environment.data());
  return errno;
}

// The number of the new process; negative: there is none. fork would copy the map of all our memory, which
// may be large. Not inlined: the child comes back from vfork in the frame of its caller.
[[gnu::noinline]] pid_t begin(Preparation& prepared) {
  const pid_t pid = ::vfork();
  if (pid != 0) return pid;
  const int code = become(prepared);
  ::_exit(::write(prepared.reason, &code, sizeof code) == sizeof code ? 127 : 126);
}

ExitStatus exit_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

}  // namespace

std::string ExitStatus::describe() const {
  if (signal == 0) return fmt::format("exit code {}", exit_code);
  const char* name = ::sigabbrev_np(signal);
  return fmt::format("signal {} ({})", signal, name ? name : "?");
}

ChildProcess::ChildProcess(const ChildCommand& command, int pid)
    : pid_(pid),
      group_(command.group),
      patience_seconds_(command.patience_seconds),
      max_output_bytes_(command.max_output_bytes),
      keeps_(command.keeps),
      deadline_(Clock::time_point::max()) {
  if (std::isfinite(command.limits.wall_seconds))
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(command.limits.wall_seconds));
}

Result<ChildProcess> ChildProcess::start(ChildCommand command) {
  std::vector<std::string> environment = environment_of(command);
  Pipe out, err, reason;
  ContentFiles files;
  const bool has_files = std::all_of(command.contents.begin(), command.contents.end(),
                                     [&](const std::string& content) { return files.add(content); });
  const bool keeps_output = command.max_output_bytes > 0 && !command.shares_output;
  if (!has_files || (keeps_output && (!out.open() || !err.open())) || !reason.open())
    return failure("{}: cannot be started: {}", command.arguments[0], std::strerror(errno));
  std::vector<int> given = command.descriptors;
  given.insert(given.end(), files.descriptors().begin(), files.descriptors().end());
  Preparation prepared{command,
                       pointers(command.arguments),
                       pointers(environment),
                       given,
                       std::vector<int>(given.size()),
                       ::getpid(),
                       command.shares_output ? STDOUT_FILENO : out.write_end(),
                       command.shares_output ? STDERR_FILENO : err.write_end(),
                       reason.write_end()};
  const pid_t pid = begin(prepared);
  if (pid < 0) return failure("{}: cannot be started: {}", command.arguments[0], std::strerror(errno));
  ChildProcess child(command, pid);
  reason.close_write_end();
  int code = 0;
  if (::read(reason.read_end(), &code, sizeof code) == sizeof code)
    return failure("{}: cannot be started: {}{}", command.arguments[0], std::strerror(code),
                   command.user && code == EACCES
                       ? ": the user that it runs as cannot run it, or enter a folder above it"
                       : "");
  if (keeps_output)
    for (const auto& [stream, pipe] : {std::pair(&child.out_, &out), std::pair(&child.err_, &err)}) {
      stream->descriptor = pipe->take_read_end();
      ::fcntl(stream->descriptor, F_SETFL, O_NONBLOCK);
    }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      group_(other.group_),
      patience_seconds_(other.patience_seconds_),
      max_output_bytes_(other.max_output_bytes_),
      keeps_(other.keeps_),
      deadline_(other.deadline_),
      out_(std::exchange(other.out_, {})),
      err_(std::exchange(other.err_, {})),
      result_(std::move(other.result_)),
      has_given_result_(other.has_given_result_) {}

ChildProcess::~ChildProcess() {
  end();
  for (const Stream* stream : {&out_, &err_})
    if (stream->descriptor >= 0) ::close(stream->descriptor);
}

void ChildProcess::end() {
  if (pid_ == 0) return;
  const pid_t pid = pid_;
  const bool is_group = group_ == ChildCommand::Group::kOwn;
  if (patience_seconds_ > 0) {
    ::kill(is_group ? -pid : pid, SIGTERM);
    const auto patience = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(patience_seconds_));
    // Processes that it has started may outlive it for a moment, and must not meet those that are started
    // next.
    while (Clock::now() < patience && (pid_ != 0 || (is_group && ::kill(-pid, 0) == 0))) {
      for (Stream* stream : {&out_, &err_})
        take_in(*stream);  // a pipe whose end is not taken in lets nobody sleep
      sleep_until(std::min(patience, Clock::now() + kLookEvery));
      if (pid_ != 0 && can_be_reaped()) reap();
    }
  }
  if (is_group) ::kill(-pid, SIGKILL);
  if (pid_ == 0) return;
  ::kill(pid, SIGKILL);
  reap();
}

bool ChildProcess::wait_for(double seconds) {
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (;;) {
    for (Stream* stream : {&out_, &err_}) take_in(*stream);
    if (pid_ == 0) return true;
    if (can_be_reaped()) {
      // Processes that it has started go too, as long as the number of its group is not free for another.
      if (group_ == ChildCommand::Group::kOwn) ::kill(-pid_, SIGKILL);
      reap();
      return true;
    }
    const auto now = Clock::now();
    if (now >= deadline_) {
      end();
      result_.timed_out = true;
      return true;
    }
    if (now >= until) return false;
    sleep_until(std::min({until, deadline_, now + kLookEvery}));
  }
}

ChildResult ChildProcess::wait() {
  require(!std::exchange(has_given_result_, true), "ChildProcess::wait: called once");
  while (!wait_for(3600)) {
  }
  for (Stream* stream : {&out_, &err_}) take_in(*stream);
  result_.out = std::move(out_.content);
  result_.err = std::move(err_.content);
  return std::move(result_);
}

// All that is there. What the child's own children write after its end is not waited for.
void ChildProcess::take_in(Stream& stream) {
  std::array<char, 1 << 16> piece;
  while (stream.descriptor >= 0) {
    const ssize_t count = ::read(stream.descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // nothing for now
    if (count == 0) {
      ::close(std::exchange(stream.descriptor, -1));
      return;
    }
    const auto most = std::size_t(max_output_bytes_);
    stream.content.append(piece.data(), std::size_t(count));
    if (stream.content.size() <= most) continue;
    result_.is_cut = true;
    stream.content.erase(keeps_ == ChildCommand::Keeps::kEnd ? 0 : most, stream.content.size() - most);
  }
}

// Until then, or until the child writes something.
void ChildProcess::sleep_until(Clock::time_point time) {
  std::array<pollfd, 2> streams{pollfd{out_.descriptor, POLLIN, 0}, pollfd{err_.descriptor, POLLIN, 0}};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()).count();
  if (left > 0) ::poll(streams.data(), streams.size(), int(left));
}

bool ChildProcess::can_be_reaped() const {
  siginfo_t info{};
  return ::waitid(P_PID, id_t(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_;
}

void ChildProcess::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  result_.status = exit_status(status);
  pid_ = 0;
}

Result<ChildResult> run_child(std::vector<std::string> arguments, const StopFlag& stop, double wall_seconds) {
  constexpr double kLookSeconds = 0.05;
  // Less than that of a user who ends this program, who does not reach the group of the child.
  constexpr double kPatienceSeconds = 0.5;
  const std::string name = std::filesystem::path(arguments[0]).filename().string();
  ProcessLimits limits;
  limits.wall_seconds = wall_seconds;
  MASH_ASSIGN(ChildProcess child, ChildProcess::start({.arguments = std::move(arguments),
                                                       .limits = limits,
                                                       .group = ChildCommand::Group::kOwn,
                                                       .patience_seconds = kPatienceSeconds}));
  while (!child.wait_for(kLookSeconds))
    if (stop.raised()) {
      child.end();
      return Error{ErrorKind::kStopped, "stopped while " + name + " ran"};
    }
  return child.wait();
}

}  // namespace mash
