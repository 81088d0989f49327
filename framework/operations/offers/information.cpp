// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::size_t kParts = 8;

// The part of each value; the last is that of missing values.
std::vector<std::size_t> parts_of(std::span<const float> values) {
  std::vector<std::size_t> order(values.size()), parts(values.size(), kParts);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::erase_if(order, [&](std::size_t i) { return std::isnan(values[i]); });
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::size_t part = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (rank == 0 || values[order[rank]] != values[order[rank - 1]]) part = kParts * rank / order.size();
    parts[order[rank]] = part;
  }
  return parts;
}

std::size_t num_used(const std::vector<double>& counts) {
  return std::size_t(std::ranges::count_if(counts, [](double count) { return count > 0; }));
}

}  // namespace

Information information_on_class(std::span<const float> values, std::span<const std::uint16_t> labels,
                                 std::size_t num_classes) {
  require(!values.empty() && values.size() == labels.size(), "information_on_class: a label for each value");
  const double num_examples = double(values.size());
  std::vector<double> both((kParts + 1) * num_classes), of_part(kParts + 1), of_class(num_classes);
  const std::vector<std::size_t> parts = parts_of(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ++both[parts[i] * num_classes + labels[i]];
    ++of_part[parts[i]];
    ++of_class[labels[i]];
  }
  double mean = 0, mean_square = 0;  // of the log of how much oftener they meet than by chance
  for (std::size_t part = 0; part <= kParts; ++part)
    for (std::size_t label = 0; label < num_classes; ++label) {
      const double count = both[part * num_classes + label];
      if (count == 0) continue;
      const double log_ratio = std::log(count * num_examples / (of_part[part] * of_class[label]));
      mean += count / num_examples * log_ratio;
      mean_square += count / num_examples * log_ratio * log_ratio;
    }
  // The degrees of freedom of 2 N nats, which are chi-squared for values that tell nothing.
  const double freedom = double((num_used(of_part) - 1) * (num_used(of_class) - 1));
  const double by_chance = std::sqrt(2 * freedom) / (2 * num_examples);
  return {mean - freedom / (2 * num_examples),
          std::hypot(by_chance, std::sqrt(std::max(0., mean_square - mean * mean) / num_examples))};
}

}  // namespace mash
