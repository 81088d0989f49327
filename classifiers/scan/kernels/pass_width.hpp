// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "framework/base/result.hpp"

namespace mash {

// Dense features that share one pass over the weights, at most. The weights of a row are read once for all of
// them; but the sums of four may fill the first-level cache of a processor, so that which width is fastest
// depends on it. No result does.
inline constexpr std::array<std::size_t, 2> kPassWidths{4, 2};

// The width in use: the one chosen last, else the first of kPassWidths.
std::size_t pass_width();
// REQUIRES: one of kPassWidths; or 0: none is chosen. Not while other threads search.
void choose_pass_width(std::size_t width);

// Times each width, for a few milliseconds in all, and chooses the fastest; does nothing where one is chosen.
void choose_fastest_pass_width();

// Chooses what $MASH_PASS_WIDTH says, where it is set and not empty. Programs call it when they start. Errors
// (kInput): it is none of kPassWidths.
Status choose_pass_width_of_environment();

}  // namespace mash
