// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/base/work_context.hpp"

namespace mash {

// Whether lines there can be drawn again: it is a terminal, and $TERM does not say that it can do nothing.
bool is_terminal(int descriptor);
// The same, and its user has nothing against colours (no-color.org).
bool takes_escapes(int descriptor);

// A bar on stderr with rate and time left, redrawn at most ten times a second; where stderr is no terminal, a
// line at most every ten seconds, so that short work says nothing and a log stays short.
std::unique_ptr<Progress> terminal_progress();
// Such lines on stderr, terminal or not. seconds_between: of two lines, and of the first and now.
std::unique_ptr<Progress> progress_in_lines(double seconds_between);

// Remarks as lines on stderr.
Remarks& stderr_remarks();

// The flag that SIGINT, SIGTERM and SIGHUP raise from now on; a second signal ends the program at once.
StopFlag& stop_on_signals();

// A text that may quote a stranger's file, as lines to be printed: the terminal must not take it for
// commands.
std::string harmless(std::string_view text);

}  // namespace mash
