// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/version.hpp"

#include <fmt/format.h>

#include "framework/base/instruction_set.hpp"

namespace mash {

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown";
#endif
}

std::string commit_text() {
  std::string commit = source_commit();
  if (commit.empty()) return "not known: built from an archive, not from a checkout of git";
  if (!commit.ends_with('+')) return commit;
  commit.pop_back();
  return commit + ", and changes that are not committed";
}

std::string version_text() {
  return fmt::format("mash {}\n{:<14} {}\n{:<14} {}, {}\n{:<14} {}", MASH_VERSION, "commit", commit_text(),
                     "compiler", compiler(), build_type(), "instructions", instruction_set());
}

}  // namespace mash
