// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace mash {

struct Statistics {
  double mean = 0;
  double sd = 0;  // of the sample; 0 for one value
};

// All zero where there are no values.
Statistics statistics_of(std::span<const double> values);

}  // namespace mash
