// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/analysis/margin_shares.hpp"

namespace mash {

// A test example that a model gets wrong, and who is to blame.
struct Mistake {
  std::size_t example_idx = 0, label = 0, predicted = 0;
  double margin = 0;           // negative; 0 where the classes were level
  std::vector<double> shares;  // of each family of the model: they add up to the margin, as in ExampleShares
};
// All mistakes, most negative margin first. labels: of the test side.
std::vector<Mistake> mistakes_of(const StrongClassifier& model, const CutAnswers& answers,
                                 std::span<const std::uint16_t> labels, const Workers& workers);

// Mistakes that come about alike: through the same families.
struct MistakeCluster {
  std::vector<std::size_t> mistakes;     // places in what was clustered, nearest to the medoid first
  std::size_t medoid = 0;                // the place of the one nearest to all others
  std::size_t label = 0, predicted = 0;  // the most frequent pair among them (the lowest of equals)
  std::size_t num_pair = 0;              // how many are of that pair
  std::vector<double> shares;            // means over the cluster
};
// At most max_clusters clusters of the shares, each divided by its length (what counts is who votes wrong,
// not how much): medoids alternately assigned and moved until nothing changes (Park & Jun 2009), started
// farthest-first from the overall medoid. The time grows with the square of the number of mistakes: at most
// the first kMaxClustered are looked at. No random numbers. Largest first; empty for no mistakes.
inline constexpr std::size_t kMaxClustered = 2000;
inline constexpr std::size_t kClustersOfReport = 6;
std::vector<MistakeCluster> mistake_clusters(std::span<const Mistake> mistakes, std::size_t max_clusters);

}  // namespace mash
