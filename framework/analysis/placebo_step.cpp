// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/placebo_step.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/statistics.hpp"

namespace mash {

double placebo_step(std::span<const double> gains, double standard_error) {
  const double of_placebo = gains.size() < 2 ? 0 : statistics_of(gains).sd / std::sqrt(double(gains.size()));
  const double error = std::max(of_placebo, standard_error / 10);
  if (!(error > 0) || !std::isfinite(error)) return 0;
  const double digit = std::pow(10, std::floor(std::log10(error)));
  return std::ceil(error / digit - 1e-9) * digit;
}

}  // namespace mash
