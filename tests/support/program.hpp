// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/places.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::testing {

inline std::string file_content(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(content).str();
}

// Output and exit code of a program that ended.
struct ProgramResult {
  int exit_code = -1;  // where a signal ended it: minus the signal
  std::string out, err;
};

// A program that runs beside the test. Its output goes to files, so it never waits for its reader. Killed on
// destruction if it still runs.
class RunningProgram {
 public:
  explicit RunningProgram(pid_t pid, std::filesystem::path out, std::filesystem::path err)
      : pid_(pid), out_(std::move(out)), err_(std::move(err)) {}
  ~RunningProgram() {
    if (pid_ > 0) send(SIGKILL), wait();
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Nothing where it has ended: its number may be another's by now.
  void send(int signal) const {
    if (pid_ > 0) ::kill(pid_, signal);
  }

  // To the newest of the processes that it has started; nothing where there is none.
  void send_to_a_child(int signal) const {
    std::error_code code;
    pid_t newest = 0;
    for (const auto& task :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task", code)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child; children >> child;) newest = std::max(newest, child);
    }
    if (newest > 0) ::kill(newest, signal);
  }

  bool has_ended() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }

  // Until it ends.
  ProgramResult wait() {
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = 0;
    return {WIFSIGNALED(status_) ? -WTERMSIG(status_) : WEXITSTATUS(status_), file_content(out_),
            file_content(err_)};
  }

 private:
  pid_t pid_;
  int status_ = 0;
  std::filesystem::path out_, err_;
};

// A folder to work in and a home of its own for programs under test: nothing of the user's is read or
// written.
class Sandbox {
 public:
  Sandbox() {
    for (const char* folder : {"work", "home", "temporary"})
      std::filesystem::create_directory(folder_ / folder);
    for (const char* inherited : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
      if (const char* value = std::getenv(inherited)) environment[inherited] = value;
    environment["HOME"] = home();
    environment["XDG_DATA_HOME"] = home() / "data";
    environment["XDG_CACHE_HOME"] = home() / "cache";
    environment["TMPDIR"] = folder_ / "temporary";
    environment["LC_ALL"] = "C.UTF-8";
  }

  const std::filesystem::path& root() const { return folder_.path(); }
  std::filesystem::path work() const { return folder_ / "work"; }
  std::filesystem::path home() const { return folder_ / "home"; }

  // Starts `arguments` in work(); the first is found as a shell finds it, and "mash" is the one just built.
  RunningProgram start(std::vector<std::string> arguments) const {
    if (arguments.at(0) == "mash") arguments[0] = binary_folder() + "/bin/mash";
    const auto out = folder_ / "out", err = folder_ / "err";
    const std::string work_folder = work().string();
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    const auto argv = pointers(arguments), environ = pointers(variables);
    const pid_t pid = ::fork();
    if (pid != 0) return RunningProgram(pid, out, err);
    if (!redirect("/dev/null", O_RDONLY, 0) || !redirect(out.c_str(), kWrite, 1) ||
        !redirect(err.c_str(), kWrite, 2) || ::chdir(work_folder.c_str()) != 0)
      ::_exit(126);
    ::execvpe(argv[0], argv.data(), environ.data());
    ::_exit(127);
  }
  ProgramResult run(std::vector<std::string> arguments) const { return start(std::move(arguments)).wait(); }

  std::map<std::string, std::string> environment;

 private:
  static constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;

  static bool redirect(const char* path, int flags, int descriptor) {
    return ::dup2(::open(path, flags, 0644), descriptor) == descriptor;
  }
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  ScratchFolder folder_;
};

}  // namespace mash::testing
