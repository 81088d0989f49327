// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "framework/base/child_process.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Limits of all programs of a control group together.
struct GroupLimits {
  std::uint64_t memory_bytes = ProcessLimits::kUnlimited;  // files in memory and the system's buffers count
  std::uint64_t processes = ProcessLimits::kUnlimited;     // threads count each
};

// A control group of the kernel (version 2, or version 1's memory and pids) below our own or at the top. A
// layer beside the limits of processes, which must hold: only root, and whom it lets, can make one. In a
// group of version 2 that systemd delegated to us alone, this process first goes down into a group of its
// own, since only a group without processes hands its controllers down.
//
//   1. make; 2. take_in every command that shall run in it; 3. they end; 4. the destructor removes it.
// What a process that was killed has left is removed by the next make.
class ControlGroup {
 public:
  // Errors (kFailure): there are no control groups that we may write to; why.
  static Result<ControlGroup> make(const GroupLimits& limits);
  ControlGroup(ControlGroup&& other) noexcept;
  ControlGroup& operator=(ControlGroup&&) = delete;
  ~ControlGroup();

  // The command will enter the group before it begins. REQUIRES: it ends before this does.
  void take_in(ChildCommand& command) const;
  // How many of its programs the kernel killed because the group was at its limit of memory; 0 where the
  // kernel does not say.
  std::uint64_t num_killed_for_memory() const;
  // Its folders: one in version 2, one for each kind of limit in version 1.
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  ControlGroup() = default;
  std::vector<std::filesystem::path> folders_;
};

}  // namespace mash
