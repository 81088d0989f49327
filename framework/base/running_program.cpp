// SPDX-License-Identifier: Apache-2.0
#include "framework/base/running_program.hpp"

#include <sys/auxv.h>

#include <utility>

namespace mash {
namespace {

std::filesystem::path& named_program() {
  static std::filesystem::path program;
  return program;
}

}  // namespace

std::filesystem::path running_program() {
  if (!named_program().empty()) return named_program();
  std::error_code code;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN)); code && name != nullptr)
    program = name;
  return program;
}

void set_running_program(std::filesystem::path program) { named_program() = std::move(program); }

}  // namespace mash
