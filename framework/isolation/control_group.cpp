// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/control_group.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "framework/base/number.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "mash-";  // of a group: mash-PROCESS-NUMBER
constexpr unsigned kOfItsMaker = 0;            // the number of the group that its process is in itself
constexpr std::chrono::milliseconds kRetry{5};
constexpr int kNumRetries = 200;

// A mounted hierarchy: version 2, or version 1 with some controllers.
struct Hierarchy {
  fs::path folder;
  bool is_version_2 = false;
  std::string options;  // ",memory,..."

  bool has(std::string_view controller) const {
    return ("," + options + ",").find(fmt::format(",{},", controller)) != std::string::npos;
  }
};

std::vector<Hierarchy> hierarchies() {
  std::vector<Hierarchy> found;
  std::ifstream mounts("/proc/self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string device, folder, type, options;
    if (!(words >> device >> folder >> type >> options)) continue;
    if (type == "cgroup2") found.push_back({folder, true, options});
    if (type == "cgroup") found.push_back({folder, false, options});
  }
  return found;
}

// Our own group in a hierarchy ("" where it is the top): a line "NUMBER:CONTROLLERS:PATH" each.
std::string own_group(const Hierarchy& hierarchy, std::string_view controller) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const bool is_it = hierarchy.is_version_2
                           ? controllers == ",,"
                           : controllers.find(fmt::format(",{},", controller)) != std::string::npos;
    if (is_it && line.size() > second + 2) return line.substr(second + 2);
  }
  return {};
}

bool write_value(const fs::path& file, std::string_view value) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_written = ::write(descriptor, value.data(), value.size()) == ssize_t(value.size());
  ::close(descriptor);
  return is_written;
}

std::vector<pid_t> processes_of(const fs::path& group) {
  std::vector<pid_t> processes;
  std::ifstream file(group / "cgroup.procs");
  for (pid_t process = 0; file >> process;) processes.push_back(process);
  return processes;
}

// Whether a group of version 2 may hand down what we limit.
bool has_controllers(const fs::path& group) {
  std::ifstream file(group / "cgroup.controllers");
  const std::set<std::string> names{std::istream_iterator<std::string>(file), {}};
  return names.contains("memory") && names.contains("pids");
}

// Whether this is a group in which one of us is itself.
bool is_of_its_maker(const fs::path& group) {
  const std::string name = group.filename().string();
  return name.starts_with(kPrefix) && name.ends_with(fmt::format("-{}", kOfItsMaker));
}

// Groups of processes that are no more.
void remove_left(const fs::path& parent) {
  std::error_code code;
  for (fs::directory_iterator entry(parent, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    std::string_view rest = std::string_view(name).substr(kPrefix.size());
    const int pid = take_number<int>(rest).value_or(0);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir(entry->path().c_str());
  }
}

struct Setting {
  const char* file;
  std::uint64_t value;
  bool is_needed = true;
};

// Makes a group with these settings below `parent`; empty: it cannot be. In version 2 its files are there
// once `parent` hands its controllers down.
fs::path make_below(const fs::path& parent, bool is_version_2, const std::vector<Setting>& settings) {
  static std::atomic<unsigned> count = 0;
  remove_left(parent);
  if (is_version_2) write_value(parent / "cgroup.subtree_control", "+memory +pids");
  const fs::path folder = parent / fmt::format("{}{}-{}", kPrefix, ::getpid(), ++count);
  if (::mkdir(folder.c_str(), 0700) != 0) return {};
  for (const auto& [file, value, is_needed] : settings) {
    if (value == ProcessLimits::kUnlimited) continue;
    if (write_value(folder / file, std::to_string(value)) || !is_needed) continue;
    ::rmdir(folder.c_str());
    return {};
  }
  return folder;
}

// Version 2 hands controllers down from a group without processes alone. Where this process is the only one
// of a group that was given to its user, as a unit of systemd with Delegate= is, it goes down into a group of
// its own. Whether it did.
bool move_below(const fs::path& own) {
  struct stat status {};
  if (::geteuid() == 0 || ::stat(own.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return false;
  if (processes_of(own) != std::vector{::getpid()} || !has_controllers(own)) return false;
  const fs::path folder = own / fmt::format("{}{}-{}", kPrefix, ::getpid(), kOfItsMaker);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  return write_value(folder / "cgroup.procs", std::to_string(::getpid()));
}

// Below our own group or, where that cannot be, at the top; or else below our own group once we have left it.
fs::path make_in(const Hierarchy& hierarchy, std::string_view controller,
                 const std::vector<Setting>& settings) {
  fs::path own = hierarchy.folder / own_group(hierarchy, controller);
  if (is_of_its_maker(own)) own = own.parent_path();
  if (fs::path folder = make_below(own, hierarchy.is_version_2, settings); !folder.empty()) return folder;
  if (own == hierarchy.folder / "") return {};
  fs::path folder = make_below(hierarchy.folder, hierarchy.is_version_2, settings);
  if (folder.empty() && hierarchy.is_version_2 && move_below(own)) folder = make_below(own, true, settings);
  return folder;
}

}  // namespace

Result<ControlGroup> ControlGroup::make(const GroupLimits& limits) {
  ControlGroup group;
  const std::vector<Hierarchy> all = hierarchies();
  for (const Hierarchy& hierarchy : all) {
    if (!hierarchy.is_version_2) continue;
    fs::path folder =
        make_in(hierarchy, "",
                {{"memory.max", limits.memory_bytes},
                 {"memory.swap.max",
                  limits.memory_bytes == ProcessLimits::kUnlimited ? ProcessLimits::kUnlimited : 0, false},
                 {"pids.max", limits.processes}});
    if (folder.empty()) continue;
    group.folders_.push_back(std::move(folder));
    return group;
  }
  const std::pair<const char*, std::vector<Setting>> kinds[] = {
      {"memory",
       {{"memory.limit_in_bytes", limits.memory_bytes},
        {"memory.memsw.limit_in_bytes", limits.memory_bytes, false}}},
      {"pids", {{"pids.max", limits.processes}}}};
  for (const auto& [controller, settings] : kinds) {
    fs::path folder;
    for (const Hierarchy& hierarchy : all)
      if (folder.empty() && !hierarchy.is_version_2 && hierarchy.has(controller))
        folder = make_in(hierarchy, controller, settings);
    if (folder.empty())
      return failure(
          "no control group for {} that this user may make: run as root, or let systemd delegate one",
          controller);
    group.folders_.push_back(std::move(folder));
  }
  return group;
}

ControlGroup::ControlGroup(ControlGroup&& other) noexcept : folders_(std::exchange(other.folders_, {})) {}

// A process that has just been killed is in it for a moment.
ControlGroup::~ControlGroup() {
  for (const fs::path& folder : folders_)
    for (int i = 0; i < kNumRetries && ::rmdir(folder.c_str()) != 0 && errno == EBUSY; ++i)
      std::this_thread::sleep_for(kRetry);
}

std::uint64_t ControlGroup::num_killed_for_memory() const {
  std::uint64_t most = 0;
  for (const fs::path& folder : folders_)
    for (const char* name : {"memory.events", "memory.oom_control"}) {  // of versions 2 and 1
      std::ifstream file(folder / name);
      std::string key;
      for (std::uint64_t count = 0; file >> key >> count;)
        if (key == "oom_kill") most = std::max(most, count);
    }
  return most;
}

void ControlGroup::take_in(ChildCommand& command) const {
  for (const fs::path& folder : folders_) command.control_groups.push_back(folder / "cgroup.procs");
}

}  // namespace mash
