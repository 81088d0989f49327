// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// E[max of Q draws] from a family whose stocked features have these edges (increasing): sum over r of
// ((r/R)^Q - ((r-1)/R)^Q) * edge_(r) (Dubout & Fleuret 2014, eq. 5).
double expected_best_edge(std::span<const double> sorted_edges, std::uint32_t num_draws);

// (1/R) sum over r of max(floor, edge_r): what one more feature of the family is expected to raise the best
// edge to (Algorithm 2).
double expected_raised_edge(std::span<const double> sorted_edges, double floor);

// Some features of every family whose values are at hand: their edges tell what the families are worth in a
// round.
class Stock {
 public:
  // Draws up to `per_family` features of each family; counts them as evaluated once.
  void fill(StumpScan& scan, std::uint64_t seed, std::uint32_t per_family);
  // The edges with the current weights on the drawn examples (or all), increasing, per family.
  std::vector<std::vector<double>> taste(StumpScan& scan, const ExampleDraw& draw = {}) const;
  // The edges of one family, on all examples.
  std::vector<double> taste_family(StumpScan& scan, std::uint32_t family) const;

 private:
  std::vector<std::uint32_t> features_;  // increasing
  std::vector<std::size_t> begins_{0};   // of each family in features_, and the end
};

// Tasting (Dubout & Fleuret 2014, section 4): a stock of R features of every family is evaluated each round,
// and tells which family to draw the Q candidates from.
class TastingSampler final : public Sampler {
 public:
  enum class Draw {
    kOneFamily,  // 1.Q, Algorithm 1: all Q from the family with the best expectation
    kFamilies,   // Q.1, Algorithm 2: each of the Q from the family that is best given the edge found so far
  };

  TastingSampler(Draw draw, std::uint32_t num_features, std::uint32_t stock_size)
      : draw_(draw), num_features_(num_features), stock_size_(stock_size) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  std::uint32_t propose_one_family(StumpScan& scan, const Round& round) const;
  std::uint32_t propose_families(StumpScan& scan, const Round& round) const;

  Draw draw_;
  std::uint32_t num_features_;  // Q
  std::uint32_t stock_size_;    // R
  Stock stock_;
};

Result<SamplerFactory> make_tasting_1q(Settings& settings);
Result<SamplerFactory> make_tasting_q1(Settings& settings);

}  // namespace mash
