// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mash {

// Programs that run under a shell of ours in a box, and how they came to their ends: the shell notes it on a
// descriptor that they cannot reach, so that nothing which they print counts.
struct WatchedEnd {
  enum class How {
    kGood,           // all of them
    kExit,           // with an exit code of its own
    kKilled,         // by SIGKILL: the limit of processor time, or somebody else
    kProcessorTime,  // by the limit of processor time
    kFileSize,       // by the limit of the size of a file
    kNotRun,         // it is not there, or no program
    kOtherSignal,
  };
  How how = How::kGood;
  std::string program = {};  // the first that did not end well
  double seconds = 0;        // of processor time, of the programs until then
};

// The part of a shell's line that notes how the command before it ended, as this program, on descriptor 4.
std::string note_end_as(std::string_view program);

// Reads these notes.
WatchedEnd first_that_failed(std::string_view notes);

}  // namespace mash
