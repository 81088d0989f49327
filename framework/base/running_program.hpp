// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace mash {

// The file of the program that this is, links resolved; empty where the system does not tell.
inline std::filesystem::path running_program() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code);
}

}  // namespace mash
