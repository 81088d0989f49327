// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/edge_gap.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/samplers/feature_draw.hpp"

namespace mash {

std::uint32_t EdgeGapSampler::propose(StumpScan& scan, const Round& round) {
  const std::uint32_t chosen = sampler_->propose(scan, round);
  const auto features = feature_range(0, std::uint32_t(scan.features().num_features()));
  const auto all = scan.evaluate(features, {}, Charge::kStock);
  const Priority ties = FeatureDraw(scan.features(), round, "reproductions.edge-gap").feature_ties();
  // best_of takes edges for equal that differ by rounding.
  gaps_.push_back(std::max(0.0, best_of(all, ties).edge - all[chosen].edge));
  return chosen;
}

std::uint32_t FewExamplesSampler::propose(StumpScan& scan, const Round& round) {
  const auto features = feature_range(0, std::uint32_t(scan.features().num_features()));
  scan.ledger().offer(features);
  const WeightedDraw weighted(scan.weights().example_weights(), scan.workers());
  const Priority ties = FeatureDraw(scan.features(), round, "reproductions.few-examples").feature_ties();
  return best_of(scan.evaluate(features, weighted.draw(num_examples_, round, 0)), ties).feature;
}

SimulatedEdge simulate_edge(double variance, std::uint64_t num_candidates, double noise,
                            std::uint32_t num_trials, RandomStream& stream) {
  const double spread = std::sqrt(variance), error = std::sqrt(noise);
  double sum = 0, squares = 0;
  for (std::uint32_t trial = 0; trial < num_trials; ++trial) {
    double best_measured = 0, best = 0;
    for (std::uint64_t q = 0; q < num_candidates; ++q) {
      const double edge = spread * stream.normal(), measured = edge + error * stream.normal();
      if (q > 0 && measured <= best_measured) continue;
      best_measured = measured;
      best = edge;
    }
    sum += best;
    squares += best * best;
  }
  const double n = num_trials, mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / n)};
}

}  // namespace mash
