// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

void PairedLosses::add(std::span<const double> before, std::span<const double> after) {
  require(before.size() == after.size(), "a loss for each example");
  std::vector<double> differences(before.size());
  std::transform(before.begin(), before.end(), after.begin(), differences.begin(), std::minus<>());
  differences_.add(differences);
  before_ += sum_of(before);
  gains_.push_back(100 * std::log(sum_of(before) / sum_of(after)));
}

double PairedLosses::mean_before() const { return before_ / double(num_seeds()) / double(num_examples()); }

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

GainVariance gain_variance(const PairedLosses& losses, double least_sd) {
  const auto num_seeds = double(losses.num_seeds());
  const double sd = std::max(statistics_of(losses.gains()).sd, least_sd);
  const MeanSquares squares = losses.differences().mean_squares();
  const double of_examples =
      std::max(0.0, squares.examples - squares.rest) / (num_seeds * double(losses.num_examples()));
  const double loss = losses.mean_before();
  return {sd * sd / num_seeds, 1e4 * of_examples / (loss * loss)};
}

}  // namespace mash
