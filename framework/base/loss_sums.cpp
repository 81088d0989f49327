// SPDX-License-Identifier: Apache-2.0
#include "framework/base/loss_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// In eight sums side by side, which one processor adds at once.
double product_of(std::span<const double> one, std::span<const double> other) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= one.size(); i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += one[i + k] * other[i + k];
  for (; i < one.size(); ++i) sums[0] += one[i] * other[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// As per cents of the mean loss of a cell, less their own mean.
std::vector<double> centred(std::span<const double> sums, double mean_loss) {
  const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / double(sums.size());
  std::vector<double> centred(sums.size());
  std::ranges::transform(sums, centred.begin(), [&](double sum) { return 100 * (sum - mean) / mean_loss; });
  return centred;
}

}  // namespace

void LossTable::put(std::size_t number, const LossSums& sums) {
  require(number <= rows_.size() && sums.of_seeds.size() >= 2 && sums.of_examples.size() >= 2,
          "loss table: the next entry, two seeds and two examples");
  require(rows_.empty() || (rows_[0].of_seeds.size() == sums.of_seeds.size() &&
                            rows_[0].of_examples.size() == sums.of_examples.size()),
          "loss table: the same seeds and examples for all");
  const auto num_seeds = double(sums.of_seeds.size()), num_examples = double(sums.of_examples.size());
  Row row;
  row.mean = std::accumulate(sums.of_seeds.begin(), sums.of_seeds.end(), 0.0) / (num_seeds * num_examples);
  row.of_seeds = centred(sums.of_seeds, row.mean);
  row.of_examples = centred(sums.of_examples, row.mean);
  if (number == rows_.size())
    rows_.push_back(std::move(row));
  else
    rows_[number] = std::move(row);
  Row& own = rows_[number];
  for (std::size_t i = 0; i <= number; ++i) {
    own.seed_products.push_back(product_of(rows_[i].of_seeds, own.of_seeds));
    own.example_products.push_back(product_of(rows_[i].of_examples, own.of_examples));
  }
  for (std::size_t i = number + 1; i < rows_.size(); ++i) {
    rows_[i].seed_products[number] = product_of(rows_[i].of_seeds, own.of_seeds);
    rows_[i].example_products[number] = product_of(rows_[i].of_examples, own.of_examples);
  }
}

PairDifference LossTable::difference(std::size_t one, std::size_t other) const {
  const Row &first = rows_[one], &second = rows_[other];
  const auto num_seeds = double(first.of_seeds.size()), num_examples = double(first.of_examples.size());
  const Row& longer = rows_[std::max(one, other)];
  const std::size_t place = std::min(one, other);
  // |a - b|^2 of the centred sums; rounding may leave a little less than nothing.
  const auto squared = [&](std::vector<double> Row::*products) {
    return std::max(0.0, (first.*products)[one] + (second.*products)[other] - 2 * (longer.*products)[place]);
  };
  const double of_seeds = squared(&Row::seed_products) / (num_examples * (num_seeds - 1)),
               of_examples = squared(&Row::example_products) / (num_seeds * (num_examples - 1));
  PairDifference difference{100 * std::log(second.mean / first.mean), 0, 1};
  const double sum = of_seeds + of_examples;
  if (!(sum > 0)) return difference;
  difference.error = std::sqrt(sum / (num_seeds * num_examples));
  difference.degrees =
      sum * sum / (of_seeds * of_seeds / (num_seeds - 1) + of_examples * of_examples / (num_examples - 1));
  return difference;
}

}  // namespace mash
