// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mash {

// Words that may stand at the cursor.
struct Completions {
  struct Word {
    std::string text;
    std::string help;  // one line, or ""
  };
  std::vector<Word> words;  // all begin as the word before the cursor does
  enum class Files { kNone, kFiles, kFolders } files = Files::kNone;  // those may stand there too
};

// Completes the last of `words`, those of a command line behind the program's name. What an option takes is
// read from its type: words in small letters are what may be written ("text|md"), words in capitals say what
// (ID: of heuristics; EXPERIMENT, DATASET, FILE, DIR ...).
Completions complete(const CLI::App& program, const std::vector<std::string>& words);

// The same as the scripts for shells read it: a line each with the word, a tab and its help, then ":files" or
// ":folders".
std::string completion_lines(const Completions& completions);

}  // namespace mash
