// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mash {

// How many letters must be changed, left out, added or swapped with their neighbour to make one text of the
// other, no letter twice (the optimal string alignment distance); most + 1 where it is more than `most`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// Which of the known names may have been meant, at most three, in the order of `known`. Case and the signs
// - _ . do not count. In this order: the same name; another word for it ("train" for "run"); the nearest
// names, with at most a third of their letters wrong; the names that begin so.
std::vector<std::string_view> suggestions(std::string_view found, std::span<const std::string_view> known);

// The same as a question: "did you mean 'laminating'?", or nothing.
std::string did_you_mean(std::string_view found, std::span<const std::string_view> known);

// The part of a message about the known names: "did you mean 'laminating'? known: full, laminating", or less.
std::string known_names(std::string_view found, std::span<const std::string_view> known);

}  // namespace mash
