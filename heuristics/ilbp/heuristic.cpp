// SPDX-License-Identifier: Apache-2.0
#include "heuristics/common/pattern_image.hpp"

namespace {

// Bits 0 to 7 tell which neighbours are at least as bright as the mean of all nine pixels, bit 8 whether the
// centre is.
std::uint32_t improved_pattern(const std::uint8_t* centre, const std::array<std::ptrdiff_t, 8>& offsets) {
  std::uint32_t sum = *centre;
  for (const std::ptrdiff_t offset : offsets) sum += centre[offset];
  std::uint32_t code = std::uint32_t(9u * *centre >= sum) << 8;
  for (std::uint32_t p = 0; p < 8; ++p) code |= std::uint32_t(9u * centre[offsets[p]] >= sum) << p;
  return code;
}

using Ilbp = mash::heuristics::PatternImage<improved_pattern>;

}  // namespace

MASH_HEURISTIC(Ilbp, "ilbp", "1.0.0", "MASH", "improved local binary pattern of every pixel", "Apache-2.0")
