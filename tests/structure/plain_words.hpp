// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mash::testing {

// The words of a text that have a plain one in their place: "count" or "that number" for "so many", "any" for
// "whatever", "again" for "anew", "callers that" for "whoever", "on average" for "in the mean", "except" for
// "but for". In the order of this list, each once; case and line breaks do not matter.
std::vector<std::string> words_to_avoid(const std::string& text);

}  // namespace mash::testing
