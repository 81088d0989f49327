// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace mash {

// Throws std::logic_error where a caller broke what a REQUIRES asks: a mistake in the program, not in its
// input.
inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("broken requirement: ") + what);
}

}  // namespace mash
