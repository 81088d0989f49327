// SPDX-License-Identifier: Apache-2.0
#include "framework/base/program_end.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <typeinfo>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr int kExitFailure = 1;
constexpr std::string_view kNoMemory =
    "out of memory; a smaller data set (dataset.train), fewer heuristics or fewer threads take less";

// A stream that is closed stays one on which nothing can be done, but a file or socket that is opened later
// no longer takes its number, and with it what is printed.
void open_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      (void)!::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void print_error_text(std::string_view text) noexcept {
  (void)!std::fwrite(text.data(), 1, text.size(), stderr);
}

void outlive_file_limits() { std::signal(SIGXFSZ, SIG_IGN); }

Status flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return Done{};
  return failure("the output cannot be written: {}", std::strerror(errno));
}

Error unexpected_error(const std::exception& exception, std::string_view version) {
  if (dynamic_cast<const std::bad_alloc*>(&exception)) return failure("{}", kNoMemory);
  if (const auto* of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&exception))
    return failure("{}: {}", printable(of_files->path1().string()), of_files->code().message());
  if (const auto* of_system = dynamic_cast<const std::system_error*>(&exception)) {
    if (std::ferror(stdout) != 0)
      return failure("the output cannot be written: {}", of_system->code().message());
    return failure("the system refuses what the program needs: {}", of_system->code().message());
  }
  return failure(
      "a fault of the program, not of its input; please report the command and these lines\n{}\n{}: {}",
      version, typeid(exception).name(), printable(exception.what()));
}

int run_guarded(std::string_view name, std::string (*version)(std::string_view name),
                const std::function<int()>& body) noexcept {
  try {
    open_standard_streams();
    try {
      return body();
    } catch (const std::exception& exception) {
      print_error_text(fmt::format("{}: {}\n", name, unexpected_error(exception, version(name)).message));
    }
  } catch (...) {  // not even the message found memory
    print_error_text(name);
    print_error_text(": ");
    print_error_text(kNoMemory);
    print_error_text("\n");
  }
  return kExitFailure;
}

}  // namespace mash
