// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/auxv.h>

#include <filesystem>

namespace mash {

// The file of the program that this is, links resolved; empty where the system does not tell. Where there is
// no /proc, as in a box, the name that it was started by.
inline std::filesystem::path running_program() {
  std::error_code code;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN)); code && name != nullptr)
    program = name;
  return program;
}

}  // namespace mash
