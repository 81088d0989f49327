// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mash::testing {

// The words of a text that have a plain one in their place, each once, with that word. Case and line breaks
// do not matter.
std::vector<std::string> words_to_avoid(const std::string& text);

}  // namespace mash::testing
