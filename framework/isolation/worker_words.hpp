// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/bounded_json.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/isolation/worker_messages.hpp"

namespace mash {

// The words of a worker beside the numbers of its reply. A plugin can write them, so that each is a claim: an
// error is the heuristic's, and no word decides whose fault something is.
struct WorkerWords {
  std::optional<std::string> error;  // printable
  std::vector<std::string> log;      // printable, at most kMaxLogLines
  std::optional<std::vector<HeuristicInfo>> heuristics;
};

// The deepest words are the choices of a parameter: {"heuristics": [{"parameters": [{"choices": ["a"]}]}]}.
inline constexpr JsonBounds kBoundsOfWords{kTextBytes, 6, 200'000};

// Reads {"error": TEXT, "log": [TEXT ...], "heuristics": [...]}, where each may be missing and nothing else
// may be there. Errors (kInput): the text is another, or beyond its bounds; nothing is built of it then.
Result<WorkerWords> read_words(std::string_view text);

}  // namespace mash
