// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

void PairedLosses::add(std::span<const double> before, std::span<const double> after) {
  require(before.size() == after.size(), "a loss for each example");
  of_examples_.add(example_gains(before, after));
  gains_.push_back(100 * std::log(sum_of(before) / sum_of(after)));
}

double PairedLosses::gain() const { return statistics_of(gains_).mean; }

double gain_factor(std::span<const double> before, std::span<const double> after) {
  const auto num_examples = double(before.size());
  const double mean_before = sum_of(before) / num_examples, mean_after = sum_of(after) / num_examples;
  if (mean_before == mean_after) return 100 / mean_after;
  return 100 * std::log(mean_before / mean_after) / (mean_before - mean_after);
}

std::vector<double> example_gains(std::span<const double> before, std::span<const double> after) {
  const double factor = gain_factor(before, after);
  std::vector<double> gains(before.size());
  for (std::size_t n = 0; n < gains.size(); ++n) gains[n] = factor * (before[n] - after[n]);
  return gains;
}

MeanError gain_error(const PairedLosses& losses, double least_sd) {
  MeanError error = losses.of_examples().error();
  error.squares.seeds = std::max(error.squares.seeds, double(error.num_examples) * least_sd * least_sd);
  return error;
}

}  // namespace mash
