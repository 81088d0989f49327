// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/held_out.hpp"

#include <algorithm>
#include <utility>

#include "framework/base/hash.hpp"

namespace mash {

double weighted_error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
                      std::span<const double> weights) {
  double wrong = 0, all = 0;
  for (std::size_t n = 0; n < classes.size(); ++n) {
    all += weights[n];
    if (classes[n] != labels[n]) wrong += weights[n];
  }
  return all > 0 ? wrong / all : 0;
}

double HeldOut::error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
                      std::span<const double> all_weights) const {
  std::vector<std::uint16_t> labels_of_judges;
  std::vector<double> weights_of_judges;
  for (const std::uint32_t judge : judges) {
    labels_of_judges.push_back(labels[judge]);
    weights_of_judges.push_back(all_weights[judge]);
  }
  return weighted_error(classes, labels_of_judges, weights_of_judges);
}

HeldOut hold_out_tenth(std::span<const std::uint16_t> labels, std::span<const double> weights,
                       std::size_t num_classes, std::uint64_t seed) {
  HeldOut held{{}, {weights.begin(), weights.end()}};
  const std::uint64_t key = keyed_hash(seed, "held_out.tenth");
  std::vector<std::vector<std::pair<std::uint64_t, std::uint32_t>>> of_class(num_classes);
  for (std::uint32_t n = 0; n < labels.size(); ++n)
    if (weights[n] > 0) of_class[labels[n]].emplace_back(keyed_hash(key, n), n);
  for (auto& examples : of_class) {
    const std::size_t count = examples.size() < 2 ? 0 : std::max<std::size_t>(examples.size() / 10, 1);
    std::sort(examples.begin(), examples.end());
    for (std::size_t i = 0; i < count; ++i) held.judges.push_back(examples[i].second);
  }
  std::sort(held.judges.begin(), held.judges.end());
  for (const std::uint32_t judge : held.judges) held.weights[judge] = 0;
  return held;
}

}  // namespace mash
