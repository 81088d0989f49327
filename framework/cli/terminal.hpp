// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/base/work_context.hpp"

namespace mash {

// A bar on stderr with rate and time left, redrawn at most ten times a second and without colour where
// NO_COLOR is set; where stderr is not a terminal, a line every five seconds of a task that takes so long.
std::unique_ptr<Progress> terminal_progress();
// Such lines on stderr.
std::unique_ptr<Progress> progress_in_lines(double seconds_between);

// Remarks as lines on stderr.
Remarks& stderr_remarks();

// The flag that SIGINT, SIGTERM and SIGHUP raise from now on; a second signal ends the program at once.
StopFlag& stop_on_signals();

// A text that may quote a stranger's file, as lines to be printed: the terminal must not take it for
// commands.
std::string harmless(std::string_view text);

}  // namespace mash
