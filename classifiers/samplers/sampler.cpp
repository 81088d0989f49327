// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

bool by_merit(const Candidate& a, const Candidate& b) { return a.merit < b.merit; }

}  // namespace

Status Sampler::start(StumpScan&, const TrainingPlan&) { return Done{}; }

const Candidate& best_of(std::span<const Candidate> candidates, const Priority& priority) {
  require(!candidates.empty(), "best_of: at least one candidate");
  // Sums in another order differ in their last bits; what differs by less than this is a tie.
  constexpr double kRounding = 1e-9;
  const double largest = std::max_element(candidates.begin(), candidates.end(), by_merit)->merit;
  const double least = std::isfinite(largest) ? largest - kRounding * std::abs(largest) : largest;
  std::vector<const Candidate*> tied;
  for (const Candidate& candidate : candidates)
    if (candidate.merit >= least) tied.push_back(&candidate);
  if (tied.size() == 1) return *tied.front();
  return **std::min_element(tied.begin(), tied.end(), [&](const Candidate* a, const Candidate* b) {
    return priority(a->feature) < priority(b->feature);
  });
}

std::uint32_t best_of_all(StumpScan& scan, const Round& round, std::span<const std::uint32_t> features) {
  require(!features.empty() &&
              std::adjacent_find(features.begin(), features.end(), std::greater_equal()) == features.end(),
          "best_of_all: at least one feature, increasing");
  return best_of(scan.evaluate(features), FeatureDraw(scan.features(), round, "sampler.ties").feature_ties())
      .feature;
}

std::uint32_t best_of_offered(StumpScan& scan, const Round& round, std::span<const std::uint32_t> features) {
  scan.ledger().offer(features);
  return best_of_all(scan, round, features);
}

std::vector<std::uint32_t> largest(std::span<const double> scores, std::size_t count,
                                   const Priority& priority) {
  auto order = feature_range(0, std::uint32_t(scores.size()));
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : priority(a) < priority(b);
                    });
  order.resize(count);
  return order;
}

std::uint32_t argmax(std::span<const double> scores, const Priority& priority) {
  require(!scores.empty(), "argmax: at least one score");
  return largest(scores, 1, priority).front();
}

std::vector<std::uint32_t> feature_range(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint32_t> features(last - first);
  std::iota(features.begin(), features.end(), first);
  return features;
}

}  // namespace mash
