// SPDX-License-Identifier: Apache-2.0
#include "framework/base/child_process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace mash {
namespace {

// A file in memory; CLOEXEC, so that only the copies made for it reach the child.
int memory_file() { return ::memfd_create("output", MFD_CLOEXEC); }

std::string content_of(int file) {
  std::string content(std::size_t(std::max<off_t>(::lseek(file, 0, SEEK_END), 0)), '\0');
  std::size_t num_read = 0;
  while (num_read < content.size()) {
    const ssize_t count =
        ::pread(file, content.data() + num_read, content.size() - num_read, off_t(num_read));
    if (count <= 0) break;
    num_read += std::size_t(count);
  }
  content.resize(num_read);
  return content;
}

// In the child, where only calls that are safe after fork may be made. Returns where exec failed.
void become(char* const* arguments, bool own_group, pid_t parent, int out, int err) {
  if (own_group) ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);  // it ended before the line above
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::dup2(nothing, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) return;
  ::execvp(arguments[0], arguments);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(std::vector<std::string> arguments, Group group) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ChildProcess child(0, group, memory_file(), memory_file());
  int reason[2];  // what exec says when it fails; closed by exec when it does not
  if (child.out_ < 0 || child.err_ < 0 || ::pipe2(reason, O_CLOEXEC) != 0)
    return failure("{}: cannot be started: {}", arguments[0], std::strerror(errno));
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    become(pointers.data(), group == Group::kOwn, parent, child.out_, child.err_);
    const int code = errno;
    ::_exit(::write(reason[1], &code, sizeof code) == sizeof code ? 127 : 126);
  }
  int code = pid < 0 ? errno : 0;
  ::close(reason[1]);
  child.pid_ = std::max(pid, 0);
  if (pid > 0 && ::read(reason[0], &code, sizeof code) != sizeof code) code = 0;
  ::close(reason[0]);
  if (code != 0) return failure("{}: cannot be started: {}", arguments[0], std::strerror(code));
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      group_(other.group_),
      status_(other.status_),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)) {}

ChildProcess::~ChildProcess() {
  if (pid_ != 0) end();
  if (out_ >= 0) ::close(out_);
  if (err_ >= 0) ::close(err_);
}

void ChildProcess::end() {
  const bool is_group = group_ == Group::kOwn;
  const pid_t target = is_group ? -pid_ : pid_;
  ::kill(target, SIGTERM);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  // What it started may outlive it for a moment, and must not meet what is started next.
  while (std::chrono::steady_clock::now() < patience &&
         (!has_ended() || (is_group && ::kill(target, 0) == 0)))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (is_group || pid_ != 0) ::kill(target, SIGKILL);
  if (pid_ != 0) ::waitpid(pid_, &status_, 0);
  pid_ = 0;
}

bool ChildProcess::has_ended() {
  if (pid_ != 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
  return pid_ == 0;
}

ChildResult ChildProcess::wait() {
  if (pid_ != 0) ::waitpid(pid_, &status_, 0);
  pid_ = 0;
  return {WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_), content_of(out_),
          content_of(err_)};
}

Result<ChildResult> run_child(std::vector<std::string> arguments) {
  MASH_ASSIGN(ChildProcess child, ChildProcess::start(std::move(arguments)));
  return child.wait();
}

}  // namespace mash
