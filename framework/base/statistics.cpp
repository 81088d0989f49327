// SPDX-License-Identifier: Apache-2.0
#include "framework/base/statistics.hpp"

#include <cmath>

namespace mash {

Statistics statistics_of(std::span<const double> values) {
  Statistics result;
  for (const double value : values) result.mean += value / double(values.size());
  if (values.size() < 2) return result;
  for (const double value : values) result.sd += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(result.sd / double(values.size() - 1));
  return result;
}

}  // namespace mash
