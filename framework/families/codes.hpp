// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mash {

// out[n] = the number of thresholds <= values[n], 0 for NaN. thresholds: increasing; those from index `size`
// on are infinite, and at most 255 are finite.
void find_codes(std::span<const float, 256> thresholds, std::size_t size, std::span<const float> values,
                std::uint8_t* out);

}  // namespace mash
