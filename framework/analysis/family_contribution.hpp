// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/contribution.hpp"
#include "framework/analysis/margin_shares.hpp"
#include "framework/analysis/shapley.hpp"
#include "framework/analysis/similarity.hpp"

namespace mash {

// The cost of a family, and how sound its features are.
struct FamilyCost {
  double microseconds_per_image = 0;  // all features, one thread
  std::uint32_t dim = 0;
  std::uint32_t num_constant = 0;     // the same on all training examples
  std::uint32_t num_own_copies = 0;   // equal to another of its own
  std::uint32_t num_pool_copies = 0;  // equal to one of the others' features
  std::uint64_t num_faults = 0;       // values of the training side that were not finite

  // Whether each of its features is constant or stands in the pool, or repeats another of its own.
  bool has_nothing_new() const { return num_constant + num_own_copies + num_pool_copies >= dim; }
};
// The cost of some families of a set (increasing places) beside the others. Lazy families count no constants
// or copies.
FamilyCost cost_of(const FeatureSet& features, std::span<const std::size_t> families);

// A family among others: what the pool with it does that the pool without it does not. Trained with the same
// seeds throughout.
struct FamilyContribution {
  std::string name;
  FamilyCost cost;
  Estimate alone_error;  // trained with it alone, over seeds
  Comparison added;      // before: all but it; after: all. Its gain is also the loss when it is dropped
  std::vector<Neighbour> neighbours;  // nearest first; family_idx among the names of the pool's families
  // Of the mean margin of the test side, over seeds; a fraction of it. Nothing where that is not positive
  // with each of the seeds: a part of it would have no meaning.
  std::optional<Estimate> margin_share;
  Estimate alpha_share;                 // of the sum of the coefficients of all, over seeds; a fraction
  PermutationImportance importance;     // in the model of the first seed
  std::optional<ShapleyValue> shapley;  // what it removes of the mean log-loss, in nats
};

// The contributions of all families of a run.
struct PoolContribution {
  std::uint32_t rounds = 0;
  std::vector<std::uint64_t> seeds;
  double constant_error = 0;  // of the most frequent class
  Estimate pool_error;        // of all families together, over seeds
  double mean_margin = 0;     // over test examples and seeds
  std::vector<FamilyContribution> families;
  std::optional<ShapleyCredit> shapley;  // of what all remove of the mean log-loss, in nats
};

}  // namespace mash
