// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// The sum of the squares of a * one - b * other.
double sum_of_squared_differences(double a, std::span<const double> one, double b,
                                  std::span<const double> other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += std::pow(a * one[i] - b * other[i], 2);
  return sum;
}

}  // namespace

void PairedLosses::add(std::span<const double> before, std::span<const double> after) {
  require(before.size() == num_examples() && after.size() == num_examples(), "a loss for each example");
  double sum_before = 0, sum_after = 0;
  for (std::size_t n = 0; n < before.size(); ++n) {
    before_.of_examples[n] += before[n];
    after_.of_examples[n] += after[n];
    sum_before += before[n];
    sum_after += after[n];
    before_squared_ += before[n] * before[n];
    after_squared_ += after[n] * after[n];
    before_after_ += before[n] * after[n];
  }
  before_.of_seeds.push_back(sum_before);
  after_.of_seeds.push_back(sum_after);
}

double PairedLosses::mean(const LossSums& sums) const {
  return std::accumulate(sums.of_seeds.begin(), sums.of_seeds.end(), 0.0) /
         (double(num_seeds()) * double(num_examples()));
}

double PairedLosses::gain() const { return 100 * std::log(mean_before() / mean_after()); }

double PairedLosses::gain_factor() const {
  const double before = mean_before(), after = mean_after();
  return before == after ? 100 / after : 100 * std::log(before / after) / (before - after);
}

std::vector<double> PairedLosses::seed_gains() const {
  std::vector<double> gains(num_seeds());
  std::ranges::transform(before_.of_seeds, after_.of_seeds, gains.begin(),
                         [](double before, double after) { return 100 * std::log(before / after); });
  return gains;
}

MeanSquares PairedLosses::mean_squares(double a, double b) const {
  require(num_seeds() >= 2 && num_examples() >= 2, "two seeds and two examples");
  const auto num_seeds = double(this->num_seeds()), num_examples = double(this->num_examples());
  const double mean = a * mean_before() - b * mean_after(), of_mean = num_seeds * num_examples * mean * mean;
  const double between_seeds =
      sum_of_squared_differences(a, before_.of_seeds, b, after_.of_seeds) / num_examples - of_mean;
  const double between_examples =
      sum_of_squared_differences(a, before_.of_examples, b, after_.of_examples) / num_seeds - of_mean;
  const double all = a * a * before_squared_ - 2 * a * b * before_after_ + b * b * after_squared_ - of_mean;
  // Rounding may leave a little less than nothing.
  return {std::max(0.0, between_seeds) / (num_seeds - 1),
          std::max(0.0, between_examples) / (num_examples - 1),
          std::max(0.0, all - between_seeds - between_examples) / ((num_seeds - 1) * (num_examples - 1))};
}

MeanError PairedLosses::error() const {
  return {mean_squares(100 / mean_before(), 100 / mean_after()), num_seeds(), num_examples()};
}

GainSums PairedLosses::gain_sums() const {
  const double before = 100 / mean_before(), after = 100 / mean_after();
  const auto differences = [&](std::span<const double> of_before, std::span<const double> of_after) {
    std::vector<double> z(of_before.size());
    std::ranges::transform(of_before, of_after, z.begin(),
                           [&](double one, double other) { return before * one - after * other; });
    return z;
  };
  return {
      gain(),
      {differences(before_.of_seeds, after_.of_seeds), differences(before_.of_examples, after_.of_examples)}};
}

MeanError gain_error(const PairedLosses& losses, double least_sd) {
  MeanError error = losses.error();
  error.squares.seeds = std::max(error.squares.seeds, double(error.num_examples) * least_sd * least_sd);
  return error;
}

std::vector<double> loss_differences(std::span<const double> before, std::span<const double> after) {
  require(before.size() == after.size(), "a loss for each example");
  std::vector<double> differences(before.size());
  std::ranges::transform(before, after, differences.begin(), std::minus<>());
  return differences;
}

}  // namespace mash
