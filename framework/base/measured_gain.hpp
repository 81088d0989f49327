// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace mash {

// A gain as an offer test measured it, in per cent of the log-loss.
struct MeasuredGain {
  double gain = 0, standard_error = 0;  // the mean over seeds, and its own
  double low = 0, high = 0;             // its interval
  std::size_t num_seeds = 0;
  std::string finding = {};  // "adds"

  bool operator==(const MeasuredGain&) const = default;
};

}  // namespace mash
