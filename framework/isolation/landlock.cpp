// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace mash {
namespace {

// landlock_ruleset_attr as of version 6; a kernel takes a shorter one, and headers may be older than it.
struct Ruleset {
  std::uint64_t files, network, scopes;
};
// Rights over files that each version knows, from version 1 on: all bits up to this one.
constexpr std::array<int, 5> kNumFileRights{13, 14, 15, 15, 16};
constexpr std::uint64_t kBindAndConnect = 3, kAbstractSocketsAndSignals = 3;
constexpr int kVersionOfNetwork = 4, kVersionOfScopes = 6;

Ruleset all_that_it_knows(int version) {
  Ruleset ruleset{};
  const int num_rights = kNumFileRights[std::size_t(std::min(version, int(kNumFileRights.size()))) - 1];
  ruleset.files = (std::uint64_t(1) << num_rights) - 1;
  if (version >= kVersionOfNetwork) ruleset.network = kBindAndConnect;
  if (version >= kVersionOfScopes) ruleset.scopes = kAbstractSocketsAndSignals;
  return ruleset;
}

std::size_t size_of_ruleset(int version) {
  if (version >= kVersionOfScopes) return sizeof(Ruleset);
  return version >= kVersionOfNetwork ? offsetof(Ruleset, scopes) : offsetof(Ruleset, network);
}

bool allow_reading(int ruleset, const std::filesystem::path& place) {
  const int file = ::open(place.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  landlock_path_beneath_attr rule{};
  rule.parent_fd = file;
  rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode))
    rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
  const long code = ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(file);
  return code == 0;
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? int(version) : 0;
}

Status read_only_below(std::span<const std::filesystem::path> places) {
  const int version = landlock_version();
  if (version == 0) return Done{};
  const Ruleset attributes = all_that_it_knows(version);
  const int ruleset = int(::syscall(SYS_landlock_create_ruleset, &attributes, size_of_ruleset(version), 0));
  bool is_restricted = ruleset >= 0;
  for (const std::filesystem::path& place : places)
    is_restricted = is_restricted && allow_reading(ruleset, place);
  is_restricted = is_restricted && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  const int code = errno;
  if (ruleset >= 0) ::close(ruleset);
  if (!is_restricted) return failure("Landlock refuses what it knows: {}", std::strerror(code));
  return Done{};
}

}  // namespace mash
