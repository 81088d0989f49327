// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_differences.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {
namespace {

double sum_of_squares(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

}  // namespace

void PairedDifferences::add(std::span<const double> differences) {
  require(differences.size() == sums_.size(), "a difference for each example");
  double sum = 0;
  for (std::size_t n = 0; n < sums_.size(); ++n) {
    sum += differences[n];
    sums_[n] += differences[n];
    squares_ += differences[n] * differences[n];
  }
  seed_sums_.push_back(sum);
}

double PairedDifferences::mean() const {
  return std::accumulate(seed_sums_.begin(), seed_sums_.end(), 0.0) / double(num_seeds()) /
         double(num_examples());
}

MeanSquares PairedDifferences::mean_squares() const {
  require(num_seeds() >= 2 && num_examples() >= 2, "two seeds and two examples");
  const auto num_seeds = double(this->num_seeds()), num_examples = double(this->num_examples());
  const double mean = this->mean(), of_mean = num_seeds * num_examples * mean * mean;
  const double between_seeds = sum_of_squares(seed_sums_) / num_examples - of_mean;
  const double between_examples = sum_of_squares(sums_) / num_seeds - of_mean;
  // Rounding may leave a little less than nothing.
  const double rest = std::max(0.0, squares_ - of_mean - between_seeds - between_examples);
  return {std::max(0.0, between_seeds) / (num_seeds - 1),
          std::max(0.0, between_examples) / (num_examples - 1),
          rest / ((num_seeds - 1) * (num_examples - 1))};
}

}  // namespace mash
