// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// Meaning of a key of the experiment file, for docs/experiment-file.md and for editors. Its type, range and
// default are not here, because they come from the code that reads the key.
struct KeyMeaning {
  std::string_view section;  // dataset, booster, weak or sampler; empty: a key of the file itself
  std::string_view parts;    // the names for which it is, with blanks between; empty: all others
  std::string_view key;
  std::string_view meaning;  // Markdown, one line
  std::string_view example;  // a value
};

std::span<const KeyMeaning> key_meanings();

// The meaning of a key of the part; null where there is none.
const KeyMeaning* find_key_meaning(std::string_view section, std::string_view part, std::string_view key);

}  // namespace mash
