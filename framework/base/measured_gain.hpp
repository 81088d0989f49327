// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace mash {

// The finding where the data leave too little to be learned for a gain to be measured.
inline constexpr std::string_view kNothingToLearn = "nothing to learn";

// A gain as an offer test measured it, in per cent of the log-loss.
struct MeasuredGain {
  double gain = 0, standard_error = 0;  // the mean over seeds, and its own
  double low = 0, high = 0;             // its interval
  std::size_t num_seeds = 0;
  std::string finding = {};  // "adds"

  // Whether the gain may be told.
  bool is_told() const { return finding != kNothingToLearn; }
  // Half the width of the interval, as people write it: 1.2, not 1.2000000000000002.
  double half_width() const { return std::round((high - low) / 2 * 1e10) / 1e10; }

  bool operator==(const MeasuredGain&) const = default;
};

}  // namespace mash
