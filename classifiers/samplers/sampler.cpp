// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/sampler.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>

#include "framework/base/require.hpp"

namespace mash {

Status Sampler::start(StumpScan&, const TrainingPlan&) { return Done{}; }

const Candidate& best_of(std::span<const Candidate> candidates) {
  require(!candidates.empty(), "best_of: at least one candidate");
  constexpr double kRounding = 1e-12;  // sums of doubles in another order: equal edges may differ by as much
  const Candidate* best = &candidates.front();
  for (const Candidate& candidate : candidates)
    if (candidate.edge > best->edge * (1 + kRounding)) best = &candidate;
  return *best;
}

std::uint32_t best_of_offered(StumpScan& scan, std::span<const std::uint32_t> features) {
  require(!features.empty() &&
              std::adjacent_find(features.begin(), features.end(), std::greater_equal()) == features.end(),
          "best_of_offered: at least one feature, increasing");
  scan.ledger().offer(features);
  return best_of(scan.evaluate(features)).feature;
}

std::vector<std::uint32_t> largest(std::span<const double> scores, std::size_t count, RandomStream& stream) {
  auto order = feature_range(0, std::uint32_t(scores.size()));
  stream.shuffle(std::span(order));
  // With the place in the random order as second key the sort has one result, whatever the algorithm.
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : place[a] < place[b];
                    });
  order.resize(count);
  return order;
}

std::uint32_t argmax(std::span<const double> scores, RandomStream& ties) {
  require(!scores.empty(), "argmax: at least one score");
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::uint32_t> tied;
  for (std::uint32_t i = 0; i < scores.size(); ++i)
    if (scores[i] == best) tied.push_back(i);
  return tied[tied.size() == 1 ? 0 : ties.below(tied.size())];
}

std::vector<std::uint32_t> draw_distinct(std::uint32_t first, std::uint32_t size, std::uint64_t count,
                                         RandomStream& stream) {
  if (count >= size) return feature_range(first, first + size);
  // Floyd's algorithm: every subset of that size is as likely as any other.
  std::unordered_set<std::uint32_t> chosen;
  for (auto limit = std::uint32_t(size - count); limit < size; ++limit) {
    const auto pick = std::uint32_t(stream.below(limit + 1));
    chosen.insert(chosen.contains(pick) ? limit : pick);
  }
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t offset : chosen) numbers.push_back(first + offset);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::uint32_t> draw_from_family(const FeatureSet& features, std::uint32_t family,
                                            std::uint64_t count, RandomStream& stream) {
  return draw_distinct(features.first_feature(family), features.family_size(family), count, stream);
}

std::vector<std::uint32_t> draw_from_families(const FeatureSet& features,
                                              std::span<const std::uint64_t> counts, RandomStream& stream) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t k = 0; k < features.num_families(); ++k) {
    if (counts[k] == 0) continue;
    const auto drawn = draw_from_family(features, k, counts[k], stream);
    chosen.insert(chosen.end(), drawn.begin(), drawn.end());
  }
  return chosen;
}

std::vector<std::uint32_t> feature_range(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint32_t> features(last - first);
  std::iota(features.begin(), features.end(), first);
  return features;
}

}  // namespace mash
