// SPDX-License-Identifier: Apache-2.0
#include "framework/base/suggestion.hpp"

#include <algorithm>
#include <vector>

namespace mash {
namespace {

// Insertions, deletions, replacements and exchanges of neighbours that make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> closest_name(std::string_view word, std::span<const std::string> known) {
  if (word.size() > 100) return std::nullopt;
  std::optional<std::string> closest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : known)
    if (const std::size_t changes = distance(word, name); changes < least && changes < name.size()) {
      least = changes;
      closest = name;
    }
  return closest;
}

}  // namespace mash
