// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace mash {

// The number of threads that can work at once: the cores that this process may run on (taskset, cpusets), or
// fewer where a control group grants it less time (containers, systemd's CPUQuota). At least 1.
int usable_cores();

// The cores' worth of time that control groups grant, the smallest of a group and those around it, versions 1
// and 2; nothing where none of them sets a limit. groups: the content of /proc/self/cgroup. mount: where the
// groups are seen, /sys/fs/cgroup.
std::optional<double> granted_cores(std::string_view groups, const std::filesystem::path& mount);

}  // namespace mash
