// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "framework/base/result.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/isolation/isolation.hpp"
#include "framework/isolation/system_calls.hpp"

namespace mash {

// Walls that a worker puts up around itself, the same for a host and for checks: what passes the checks of a
// box is not refused by the box that computes its features. isolation: kNone is no wall at all.
struct WorkerWalls {
  Isolation isolation = Isolation::kNone;
  Threads threads = Threads::kRefused;  // in a box; in a process they are never refused
};

// Before any code of a plugin runs, in a process of one thread; for good. Errors (kFailure): the kernel
// refuses.
Status close_walls(const WorkerWalls& walls);

// Closes the walls, loads the plugin that kPluginDescriptor is of, and closes them further: no other plugin
// can be loaded after it. In a process the loader takes the file that the descriptor names; a box has no
// /proc, so there it is a copy in the box's own memory, and the descriptor, which is of a file that boxes
// share, is closed. file: the same content. Errors: those of Plugin::load; the kernel refuses (kFailure).
Result<std::shared_ptr<const Plugin>> load_behind_walls(const PluginFile& file, const WorkerWalls& walls);

// The error of a heuristic, and what the walls refuse where the system's own words in it ("Permission
// denied") are those of a call that was refused.
std::string with_word_on_walls(std::string error, const WorkerWalls& walls);

}  // namespace mash
