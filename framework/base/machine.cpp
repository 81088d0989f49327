// SPDX-License-Identifier: Apache-2.0
#include "framework/base/machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

#include "framework/base/instruction_set.hpp"
#include "framework/base/number.hpp"

namespace mash {
namespace {

// The value behind "key : value" or key="value" in a text file of the system.
std::string value_in(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::string value = line.substr(std::min(line.size(), line.find(separator) + 1));
    std::erase(value, '"');
    return value.substr(std::min(value.size(), value.find_first_not_of(" \t")));
  }
  return "";
}

// Bytes of a line such as "VmHWM: 123456 kB"; 0 where there is none.
std::uint64_t kibibytes_in(const char* path, const char* key) {
  const std::string value = value_in(path, key, ':');
  std::string_view text = value;
  return 1024 * take_number<std::uint64_t>(text).value_or(0);
}

}  // namespace

MachineInfo this_machine() {
  utsname system{};
  uname(&system);
  MachineInfo info;
  info.cpu = value_in("/proc/cpuinfo", "model name", ':');
  info.os = fmt::format("{}, {} {}", value_in("/etc/os-release", "PRETTY_NAME", '='), system.sysname,
                        system.release);
  info.instruction_set = instruction_set();
  info.num_cores = int(std::thread::hardware_concurrency());
  info.memory_bytes = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
  return info;
}

std::uint64_t available_memory_bytes() { return kibibytes_in("/proc/meminfo", "MemAvailable"); }

std::uint64_t peak_memory_bytes() {
  // Not getrusage, whose maximum also counts what the program held that started this one, if that was more.
  return kibibytes_in("/proc/self/status", "VmHWM");
}

}  // namespace mash
