// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Two halves of some examples. What is chosen by the one is measured on the other: there the luck of the
// choice is not seen again.
struct Halves {
  std::vector<std::size_t> choosing, measuring;  // places of the examples, increasing
};

// Draws the halves class by class, so that both have as many examples of each, or one more. groups: the group
// of each example, whose examples stay together, in the class that most of them have; empty: there are none.
// Where whole groups would leave less than a third of the examples to one half, groups are divided. Equal for
// an equal seed.
Halves draw_halves(std::span<const std::uint16_t> labels, std::span<const std::uint32_t> groups,
                   std::uint64_t seed);

}  // namespace mash
