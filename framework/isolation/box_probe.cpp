// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box_probe.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "framework/isolation/box.hpp"
#include "framework/isolation/landlock.hpp"
#include "framework/isolation/system_calls.hpp"

namespace mash {
namespace {

constexpr int kFolder = 3;        // the descriptor
constexpr int kMostBoxedPid = 9;  // outside of a namespace of their own, processes have higher numbers

// what: "" where the layer held.
void tell(std::string_view layer, std::string_view what) {
  const std::string line =
      what.empty() ? fmt::format("{} held\n", layer) : fmt::format("{} open: {}\n", layer, what);
  if (::write(1, line.data(), line.size()) < 0) ::_exit(1);
}

// Whether a file that the walls should hide or protect can be opened.
bool opens(const char* path, int flags) {
  const int file = ::open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

std::string try_user() {
  if (::openat(kFolder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0) return {};
  return "it can read a folder that is closed to all but its owner";
}

std::string try_namespaces() {
  utsname names{};
  ::uname(&names);
  if (::getuid() != kNobody) return "it sees its user outside of the box";
  if (::getpid() > kMostBoxedPid) return "it sees processes outside of the box";
  if (std::strcmp(names.nodename, "box") != 0) return "it sees the name of the machine";
  return {};
}

std::string try_files() {
  for (const char* path : {"/etc/passwd", "/proc/1/environ", "/home", "/root", "/sys"})
    if (opens(path, O_RDONLY)) return fmt::format("it can open {}", path);
  for (const char* path : {"/file", "/usr/file", "/dev/file"})
    if (opens(path, O_WRONLY | O_CREAT)) return fmt::format("it can make {}", path);
  return {};
}

std::string try_limits() {
  void* memory =
      ::mmap(nullptr, kProbeAddressBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) return "it can map more memory than its limit";
  if (::fcntl(1, F_DUPFD_CLOEXEC, int(kProbeOpenFiles)) >= 0) return "it can open more files than its limit";
  return {};
}

std::string try_landlock() {
  if (landlock_version() == 0) return "the kernel has none";
  const std::array<std::filesystem::path, 1> places{"/usr"};
  if (const Status status = read_only_below(places); !status.ok()) return status.error().message;
  if (opens("/tmp", O_RDONLY)) return "it can read what it was refused";
  return opens("/usr", O_RDONLY) ? "" : "it cannot read what it was allowed";
}

std::string try_system_calls() {
  if (::socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return "it can make a socket";
  if (const Status status = allow_loading(); !status.ok()) return status.error().message;
  if (opens("/tmp/file", O_WRONLY | O_CREAT)) return "it can make a file";
  if (!opens("/usr", O_RDONLY)) return "it cannot read while it loads";
  if (const Status status = allow_computing(); !status.ok()) return status.error().message;
  return opens("/usr", O_RDONLY) ? "it can open a file" : "";
}

}  // namespace

void run_box_probe() {
  tell("user", try_user());
  tell("namespaces", try_namespaces());
  tell("files", try_files());
  tell("limits", try_limits());
  tell("landlock", try_landlock());
  tell("system-calls", try_system_calls());
  char* arguments[] = {nullptr};
  ::execve("/usr/bin/true", arguments, arguments);
  tell("system-calls", "it can start a program");
  ::_exit(0);
}

}  // namespace mash
