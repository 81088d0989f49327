// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

double sum_of_squares(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

}  // namespace

PairedLosses::PairedLosses(std::size_t num_examples) : sums_(num_examples) {}

void PairedLosses::add(std::span<const double> before, std::span<const double> after) {
  require(before.size() == sums_.size() && after.size() == sums_.size(), "a loss for each example");
  double sum_before = 0, sum_after = 0, sum = 0;
  for (std::size_t n = 0; n < sums_.size(); ++n) {
    const double difference = before[n] - after[n];
    sum_before += before[n];
    sum_after += after[n];
    sum += difference;
    sums_[n] += difference;
    squares_ += difference * difference;
  }
  before_ += sum_before;
  seed_sums_.push_back(sum);
  gains_.push_back(100 * std::log(sum_before / sum_after));
}

double PairedLosses::mean_before() const { return before_ / double(num_seeds()) / double(num_examples()); }

double PairedLosses::gain() const { return statistics_of(gains_).mean; }

double PairedLosses::difference(std::size_t example) const { return sums_[example] / double(num_seeds()); }

double PairedLosses::difference() const {
  return std::accumulate(seed_sums_.begin(), seed_sums_.end(), 0.0) / double(num_seeds()) /
         double(num_examples());
}

MeanSquares PairedLosses::mean_squares() const {
  require(num_seeds() >= 2 && num_examples() >= 2, "two seeds and two examples");
  const auto num_seeds = double(this->num_seeds()), num_examples = double(this->num_examples());
  const double mean = difference(), of_mean = num_seeds * num_examples * mean * mean;
  const double between_seeds = sum_of_squares(seed_sums_) / num_examples - of_mean;
  const double between_examples = sum_of_squares(sums_) / num_seeds - of_mean;
  // Rounding may leave a little less than nothing.
  const double rest = std::max(0.0, squares_ - of_mean - between_seeds - between_examples);
  return {std::max(0.0, between_seeds) / (num_seeds - 1),
          std::max(0.0, between_examples) / (num_examples - 1),
          rest / ((num_seeds - 1) * (num_examples - 1))};
}

double PairedLosses::difference_variance() const {
  const MeanSquares squares = mean_squares();
  const double num_pairs = double(num_seeds()) * double(num_examples());
  return (squares.seeds + std::max(0.0, squares.examples - squares.rest)) / num_pairs;
}

GainVariance gain_variance(const PairedLosses& losses, double least_sd) {
  const auto num_seeds = double(losses.num_seeds());
  const double sd = std::max(statistics_of(losses.gains()).sd, least_sd);
  const MeanSquares squares = losses.mean_squares();
  const double of_examples =
      std::max(0.0, squares.examples - squares.rest) / (num_seeds * double(losses.num_examples()));
  const double loss = losses.mean_before();
  return {sd * sd / num_seeds, 1e4 * of_examples / (loss * loss)};
}

}  // namespace mash
