// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/process.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace mash {
namespace {

// A process as /proc shows it: its state letter and its start time; start < 0 where there is none.
struct ProcessStat {
  char state = 0;
  std::int64_t start = -1;
};

ProcessStat read_stat(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // Field 2, the program's name, stands in parentheses and may itself hold blanks and parentheses.
  const std::size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return {};
  std::istringstream fields(text.substr(end_of_name + 1));
  ProcessStat stat;
  fields >> stat.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  if (!(fields >> stat.start)) stat.start = -1;
  return stat;
}

std::string read_boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace

ProcessIdentity this_process() {
  const std::int64_t pid = ::getpid();
  return {pid, read_stat(pid).start, read_boot_id()};
}

bool is_alive(const ProcessIdentity& process) {
  if (process.boot_id != read_boot_id()) return false;
  const ProcessStat stat = read_stat(process.pid);
  return stat.start >= 0 && stat.start == process.start && stat.state != 'Z' && stat.state != 'X';
}

}  // namespace mash
