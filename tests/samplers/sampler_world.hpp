// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "framework/base/hash.hpp"
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

// 0, 1, 0, 1, ...
inline std::vector<std::uint16_t> alternating_labels(std::size_t num_examples) {
  std::vector<std::uint16_t> labels(num_examples);
  for (std::size_t n = 0; n < num_examples; ++n) labels[n] = n % 2;
  return labels;
}

// Families of features that say an example's class, of alternating labels: all but the first examples
// correctly, as many as it takes that the feature's edge under equal weights is as given. edges[k][j]: of
// feature j of family k; (1 - edge) / 2 of the examples must be a whole number.
inline std::vector<FakeFamily> families_with_edges(const std::vector<std::vector<double>>& edges,
                                                   std::size_t num_examples) {
  std::vector<FakeFamily> families;
  for (const std::vector<double>& own : edges)
    families.push_back({fmt::format("family-{}", families.size() + 1), std::uint32_t(own.size()),
                        [own, num_examples](std::uint32_t n, std::uint32_t j) {
                          const auto num_wrong = std::lround((1 - own[j]) / 2 * double(num_examples));
                          return float(n < num_wrong ? 1 - n % 2 : n % 2);
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
    scan.new_round(1, 0);
  }

  // The sampler's choice in a round of its own.
  std::uint32_t propose(Sampler& sampler, std::uint32_t round, std::uint64_t seed = 1) {
    scan.new_round(seed, round);
    return sampler.propose(scan, {seed, round});
  }
  // The same in a node of a tree: on these examples (increasing), with their share of all weight.
  std::uint32_t propose_in_node(Sampler& sampler, std::uint32_t round, const std::vector<std::uint32_t>& rows,
                                std::uint64_t seed = 1) {
    double share = 0;
    for (const std::uint32_t n : rows) share += weights.example_weights()[n] / weights.total();
    scan.new_round(seed, round);
    scan.focus({rows, share});
    const std::uint32_t chosen = sampler.propose(scan, {seed, round});
    scan.end_focus();
    return chosen;
  }
  // How many features of each family were candidates since the last call.
  std::vector<std::uint64_t> offered() {
    std::vector<std::uint64_t> counts;
    for (FamilyLooks& looks : scan.ledger().looks()) {
      counts.push_back(looks.offered);
      looks.offered = 0;
    }
    return counts;
  }

  World world;
  SignedWeights weights;
  StumpScan scan;
};

// Ties that are decided again for each number.
inline Priority random_ties(std::uint64_t number) {
  return [number](std::uint32_t index) { return keyed_hash(number, std::uint64_t(index)); };
}

// Pearson's statistic of counts against expectations.
template <class Number>
double chi_squared(const std::vector<Number>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += (double(counts[i]) - expected[i]) * (double(counts[i]) - expected[i]) / expected[i];
  return sum;
}

}  // namespace mash::testing
