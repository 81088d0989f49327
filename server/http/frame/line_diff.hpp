// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mash::server {

enum class LineChange { kSame, kAdded, kRemoved };

struct DiffLine {
  LineChange change = LineChange::kSame;
  std::size_t before = 0, after = 0;  // its number in either text, from 1; 0: it is not there
  std::string_view text;              // without its end
};

// The lines of a text without their ends; one that ends with a line's end has no empty line after it.
std::vector<std::string_view> lines_of(std::string_view text);

// The changes of `before`, in fewest lines added and removed (Myers, "An O(ND) difference algorithm and its
// variations", 1986); of neighbours the removed ones first. The time is bounded: where texts differ in more
// than 1000 lines or by more than 20 million comparisons show, what follows the part that was compared is
// removed and added as a whole. Lines point into the texts.
std::vector<DiffLine> line_diff(std::string_view before, std::string_view after);

}  // namespace mash::server
