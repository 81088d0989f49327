// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mash {

// One message of a compiler or linker on a source, as data.
struct CompilerMessage {
  std::string file;                    // "" where it names none
  std::uint64_t line = 0, column = 0;  // from 1; 0: it names none
  std::string kind;                    // "error", "fatal error", "warning", "note"
  std::string text;
};

// Reads the output of GCC's compiler proper with -fdiagnostics-format=json: arrays of messages. Other lines
// of it become errors without a place, and so do all of `others`, the words of the assembler and the linker,
// which print what a source has them print. A message's notes follow it. Returns at most `max_messages`, all
// printable. Never fails, because the output may be that of a compiler that was ended in the middle.
std::vector<CompilerMessage> read_compiler_messages(const std::string& output, const std::string& others,
                                                    std::size_t max_messages);

// Reads what GCC writes with -fdiagnostics-plain-output: a line "FILE:LINE:COLUMN: KIND: TEXT" for each
// message. Other lines, which say in which function the next message is, are left out. Returns at most
// `max_messages`, all printable.
std::vector<CompilerMessage> read_message_lines(const std::string& output, std::size_t max_messages);

// The messages as text, a line "FILE:LINE:COLUMN: KIND: TEXT" for each.
std::string to_text(const std::vector<CompilerMessage>& messages);

}  // namespace mash
