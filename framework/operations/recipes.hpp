// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of experiments/, built into the program so that it is there wherever the program is.
struct Recipe {
  std::string_view name;  // without folder and ending
  std::string_view text;
};
std::span<const Recipe> recipes();

}  // namespace mash
