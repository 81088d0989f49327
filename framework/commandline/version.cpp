// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/version.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

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

std::string version_text(std::string_view program) {
  return fmt::format("{} {}\n{:<14} {}\n{:<14} {}, {}\n{:<14} {}", program, MASH_VERSION, "commit",
                     commit_text(), "compiler", compiler(), build_type(), "instructions", instruction_set());
}

void add_version_flag(CLI::App& program) {
  program.set_version_flag(
      "-V,--version", [name = program.get_name()] { return version_text(name); },
      "Print the version, and what the program was built from and with");
}

}  // namespace mash
