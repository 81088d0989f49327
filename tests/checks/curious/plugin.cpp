// SPDX-License-Identifier: Apache-2.0
// A heuristic that looks for signs that it is checked, and tells what it sees in the error of its first call:
// its process's arguments, variables and name for its file.
#include <dlfcn.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/checks/sound.hpp"

extern char** environ;

namespace {

// Made when it is first asked for, which is before other objects are made.
std::string& seen() {
  static std::string text;
  return text;
}

std::string file_content(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Values of variables that say something of MASH or of malloc; folders end in a random name.
void look_at_variable(const std::string& variable) {
  const std::string name = variable.substr(0, variable.find('='));
  if (name == "TMPDIR") seen() += " " + variable.substr(0, variable.rfind('-'));
  for (const char* sign : {"MASH", "MALLOC", "GLIBC"})
    if (name.find(sign) != std::string::npos) seen() += " " + name;
}

__attribute__((constructor)) void look(int num_arguments, char** arguments, char**) {
  for (int i = 1; i < num_arguments; ++i) seen() += std::string(" argument ") + arguments[i];
  const std::string command = file_content("/proc/self/cmdline");
  seen() += " command of " + std::to_string(command.size() - std::min(command.size(), command.find('\0')));
  for (char** variable = environ; *variable != nullptr; ++variable) look_at_variable(*variable);
  const std::string kept = file_content("/proc/self/environ");
  for (const char* sign : {"MASH", "MALLOC", "GLIBC"})
    if (kept.find(sign) != std::string::npos) seen() += std::string(" kept ") + sign;
  Dl_info file{};
  ::dladdr(reinterpret_cast<void*>(&seen), &file);
  seen() += " file " + std::string(file.dli_fname);
}

}  // namespace

struct Curious final : Sound {
  Curious() { throw std::runtime_error("seen:" + seen() + "."); }
};

TEST_HEURISTIC(Curious)
