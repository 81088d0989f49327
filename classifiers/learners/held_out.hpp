// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The share of the weight that gets another class than its own; 0 where there is no weight. Each span has an
// entry for every example.
double weighted_error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
                      std::span<const double> weights);

// Examples that judge which value of a setting is best, and the weights of those that train meanwhile.
struct HeldOut {
  std::vector<std::uint32_t> judges;  // increasing
  std::vector<double> weights;        // of all examples: 0 of judges

  // The weighted error of the judges. classes: those that they get. The others are of all examples.
  double error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
               std::span<const double> all_weights) const;
};

// A tenth of the examples of each class that have a weight, at least one where there are two: those with the
// smallest hashes of the seed.
HeldOut hold_out_tenth(std::span<const std::uint16_t> labels, std::span<const double> weights,
                       std::size_t num_classes, std::uint64_t seed);

}  // namespace mash
