// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Examples that judge which value of a setting is best, and the weights of those that train meanwhile.
struct HeldOut {
  std::vector<std::uint32_t> judges;  // increasing
  std::vector<double> weights;        // of all examples: 0 of judges

  // The share of the judges' weight whose class is another. classes: of each judge.
  double error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
               std::span<const double> all_weights) const;
};

// A tenth of the examples of each class that have a weight, at least one where there are two: those with the
// smallest hashes of the seed.
HeldOut hold_out_tenth(std::span<const std::uint16_t> labels, std::span<const double> weights,
                       std::size_t num_classes, std::uint64_t seed);

}  // namespace mash
