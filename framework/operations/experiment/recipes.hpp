// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of experiments/. It is built into the program, so it is there wherever the program is.
struct Recipe {
  std::string_view name;  // without folder and ending
  std::string_view text;
};
std::span<const Recipe> recipes();
// The recipe with this name; null where there is none.
const Recipe* find_recipe(std::string_view name);

}  // namespace mash
