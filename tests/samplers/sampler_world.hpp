// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Families of these sizes over examples of two classes; feature values are a hash of example and feature.
inline std::vector<FakeFamily> hashed_families(const std::vector<std::uint32_t>& sizes) {
  std::vector<FakeFamily> families;
  std::uint32_t number = 0;
  for (const std::uint32_t size : sizes)
    families.push_back({fmt::format("family-{}", ++number), size, [number](std::uint32_t n, std::uint32_t j) {
                          return float((n * 2654435761u + j * 40503u + number * 977u) >> 7 & 15);
                        }});
  return families;
}

// A sampler's surroundings in a round: features, weights, scan.
struct SamplerWorld {
  SamplerWorld(std::size_t num_train, const std::vector<std::uint32_t>& sizes, ScanMode mode = ScanMode::kI16)
      : SamplerWorld(hashed_families(sizes), random_labels(num_train, 2, 1), mode) {}
  SamplerWorld(std::vector<FakeFamily> families, std::vector<std::uint16_t> labels,
               ScanMode mode = ScanMode::kI16)
      : world(numbered_images(std::move(labels), {}, 2), std::move(families)),
        weights(world.dataset.train.labels, 2),
        scan(world.features(), weights, {mode, Cuts::kCodes}, world.workers) {
    initialise(InitialWeights::kUniform, world.workers, weights);
  }

  // The sampler's choice in a round of its own.
  std::uint32_t propose(Sampler& sampler, std::uint32_t round, std::uint64_t seed = 1) {
    scan.new_round(seed, round);
    return sampler.propose(scan, {seed, round});
  }
  // How many features of each family were candidates since the last call.
  std::vector<std::uint64_t> offered() {
    std::vector<std::uint64_t> counts;
    for (FamilyLooks& looks : scan.looks()) {
      counts.push_back(looks.offered);
      looks.offered = 0;
    }
    return counts;
  }

  World world;
  SignedWeights weights;
  StumpScan scan;
};

// Pearson's statistic of counts against expectations.
template <class Number>
double chi_squared(const std::vector<Number>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += (double(counts[i]) - expected[i]) * (double(counts[i]) - expected[i]) / expected[i];
  return sum;
}

}  // namespace mash::testing
