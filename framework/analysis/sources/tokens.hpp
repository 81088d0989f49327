// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mash {

// A token of C++ without what a copyist changes first: all names that are no keywords are one kind of token,
// and so are all numbers, and all texts and characters. Comments, blanks and #include lines are none.
struct SourceToken {
  std::uint32_t kind = 0;  // equal for equal keywords and signs, for names, for numbers, for texts
  std::uint32_t line = 0;  // on which it begins, from 1
  bool operator==(const SourceToken&) const = default;
};

// Tokens of a source after which no more are looked at.
inline constexpr std::size_t kMostSourceTokens = std::size_t(1) << 16;

// The first kMostSourceTokens of a text, of any bytes: what is no C++ comes out as signs of a byte each.
std::vector<SourceToken> source_tokens(std::string_view source);

}  // namespace mash
