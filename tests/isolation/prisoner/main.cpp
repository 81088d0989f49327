// SPDX-License-Identifier: Apache-2.0
// prisoner: what a heuristic could try in a box, for box_test.
//   prisoner list               the names of the attempts, a line each
//   prisoner attempt NAME       prints "allowed", or the name of the error that refused it, after both
//   filters prisoner descriptors        the numbers of the open descriptors that are not closed below 1000
//   prisoner environment        its variables, a line each
//   prisoner user               the user and the group that it sees itself as
//   prisoner fill PATH          writes to a file until it cannot; prints how many bytes
//   prisoner write NUMBER TEXT  writes the text to the descriptor
//   prisoner enter NUMBER       opens the folder that the descriptor is; prints "allowed" or the error
//   prisoner hog BYTES          uses as much memory; prints "allowed" or the error
//   prisoner fork               starts processes that stay until it cannot; prints how many
//   prisoner spin               never ends
//   prisoner daemon             leaves a process in a session of its own that holds descriptor 3, and ends
//   prisoner library FILE       loads a library between the filters, and calls its function compute after
//   them
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "framework/isolation/system_calls.hpp"
#include "tests/isolation/prisoner/attempts.hpp"

namespace mash::testing {
namespace {

int say(const std::string& text) {
  const std::string line = text + "\n";
  return ::write(1, line.data(), line.size()) == ssize_t(line.size()) ? 0 : 1;
}

int list() {
  for (const Attempt& attempt : attempts()) say(attempt.name);
  return 0;
}

int try_it(std::string_view name) {
  for (const Attempt& attempt : attempts()) {
    if (attempt.name != name) continue;
    if (const Status status = allow_loading(); !status.ok()) return say(status.error().message), 3;
    settle_libraries();
    if (const Status status = allow_computing(); !status.ok()) return say(status.error().message), 3;
    errno = 0;
    return say(attempt.run() < 0 ? ::strerrorname_np(errno) : "allowed");
  }
  return 2;
}

int descriptors() {
  for (int number = 0; number < 1000; ++number)
    if (::fcntl(number, F_GETFD) >= 0) say(std::to_string(number));
  return 0;
}

int environment() {
  for (char** entry = environ; *entry; ++entry) say(*entry);
  return 0;
}

int fill(const char* path) {
  const int file = ::open(path, O_WRONLY | O_CREAT, 0600);
  if (file < 0) return say(::strerrorname_np(errno));
  static char piece[1 << 16];
  long long total = 0;
  for (ssize_t count; (count = ::write(file, piece, sizeof piece)) > 0;) total += count;
  return say(std::to_string(total));
}

int enter(int folder) {
  return say(::openat(folder, ".", O_RDONLY | O_DIRECTORY) < 0 ? ::strerrorname_np(errno) : "allowed");
}

int hog(const char* bytes) {
  const std::size_t size = std::strtoull(bytes, nullptr, 10);
  void* memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return say(::strerrorname_np(errno));
  std::memset(memory, 1, size);
  return say("allowed");
}

int fork_many() {
  int count = 0;
  for (pid_t pid; (pid = ::fork()) >= 0; ++count)
    if (pid == 0) ::pause();
  return say(std::to_string(count));
}

int leave_a_daemon() {
  if (::fork() != 0) return 0;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ::pause();
  return 0;
}

int compute_with(const char* file) {
  if (!allow_loading().ok()) return 3;
  void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) return say(::dlerror()), 4;
  const auto compute = reinterpret_cast<double (*)()>(::dlsym(library, "compute"));
  settle_libraries();
  if (!allow_computing().ok()) return 3;
  return say(std::to_string(compute()));
}

}  // namespace
}  // namespace mash::testing

int main(int argc, char** argv) {
  using namespace mash::testing;
  const std::string_view task = argc > 1 ? argv[1] : "";
  if (task == "list") return list();
  if (task == "attempt" && argc == 3) return try_it(argv[2]);
  if (task == "descriptors") return descriptors();
  if (task == "environment") return environment();
  if (task == "user") return say(std::to_string(::getuid()) + " " + std::to_string(::getgid()));
  if (task == "fill" && argc == 3) return fill(argv[2]);
  if (task == "write" && argc == 4)
    return ::write(std::atoi(argv[2]), argv[3], std::strlen(argv[3])) < 0 ? 1 : 0;
  if (task == "enter" && argc == 3) return enter(std::atoi(argv[2]));
  if (task == "hog" && argc == 3) return hog(argv[2]);
  if (task == "fork") return fork_many();
  if (task == "daemon") return leave_a_daemon();
  if (task == "library" && argc == 3) return compute_with(argv[2]);
  while (task == "spin") continue;
  return 2;
}
