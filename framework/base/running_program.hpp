// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace mash {

// The file of the program that this is, links resolved; empty where the system does not tell. Where there is
// no /proc, as in a box, the name that it was started by. Heuristics, helpers and the SDK are found from it.
std::filesystem::path running_program();

// For a process that is another program, as Python is: its heuristics and helpers are those of `program`.
// Before anything else, by one thread.
void set_running_program(std::filesystem::path program);

}  // namespace mash
