// SPDX-License-Identifier: Apache-2.0
#include "framework/base/usable_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/number.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// A number of a file that has several with blanks between them; "max", and -1 in version 1, stand for no
// limit.
std::optional<double> number_of_file(const fs::path& file, std::size_t position) {
  const auto text = read_file(file);
  if (!text.ok()) return std::nullopt;
  std::string_view rest = *text;
  for (;; --position) {
    const std::size_t end = rest.find_first_of(" \n");
    if (position == 0) {
      const auto number = number_in<double>(rest.substr(0, end));
      return number && *number > 0 ? number : std::nullopt;
    }
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

std::optional<double> cores_of_group(const fs::path& group, bool is_version_1) {
  const auto quota =
      is_version_1 ? number_of_file(group / "cpu.cfs_quota_us", 0) : number_of_file(group / "cpu.max", 0);
  const auto period =
      is_version_1 ? number_of_file(group / "cpu.cfs_period_us", 0) : number_of_file(group / "cpu.max", 1);
  if (!quota || !period) return std::nullopt;
  return *quota / *period;
}

// The limits of a group and all around it. In a container its path may lead to nothing: the mount is the
// group itself.
void add_limits(const fs::path& mount, std::string_view path, bool is_version_1,
                std::vector<double>& limits) {
  fs::path group = mount / fs::path(path).relative_path();
  while (true) {
    if (const auto cores = cores_of_group(group, is_version_1)) limits.push_back(*cores);
    if (group == mount || !group.has_relative_path() || group == group.parent_path()) return;
    group = group.parent_path();
  }
}

// The cores on which this process may run; 0 where the system does not say.
int allowed_cores() {
  for (int most = 1024; most <= 1 << 20; most *= 2) {  // the call fails where the set is too small
    cpu_set_t* set = CPU_ALLOC(most);
    if (set == nullptr) return 0;
    const std::size_t size = CPU_ALLOC_SIZE(most);
    const bool is_known = ::sched_getaffinity(0, size, set) == 0;
    const int count = is_known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (is_known) return count;
  }
  return 0;
}

}  // namespace

std::optional<double> granted_cores(std::string_view groups, const fs::path& mount) {
  std::vector<double> limits;
  while (!groups.empty()) {  // "4:cpu,cpuacct:/user.slice" in version 1, "0::/user.slice" in version 2
    const std::size_t end = std::min(groups.find('\n'), groups.size());
    const std::string_view line = groups.substr(0, end);
    groups.remove_prefix(std::min(end + 1, groups.size()));
    const std::size_t first = line.find(':');
    if (first == line.npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1),
                           path = line.substr(second + 1);
    if (controllers.empty()) add_limits(mount, path, false, limits);
    if (controllers == "cpu" || controllers.starts_with("cpu,") || controllers.find(",cpu,") != line.npos ||
        controllers.ends_with(",cpu"))
      add_limits(mount / controllers, path, true, limits);
  }
  if (limits.empty()) return std::nullopt;
  return *std::min_element(limits.begin(), limits.end());
}

int usable_cores() {
  int cores = allowed_cores();
  if (cores == 0) cores = int(std::thread::hardware_concurrency());
  if (const auto groups = read_file("/proc/self/cgroup"); groups.ok())
    if (const auto granted = granted_cores(*groups, "/sys/fs/cgroup"))
      cores = std::min(cores, int(std::ceil(*granted)));
  return std::max(cores, 1);
}

}  // namespace mash
