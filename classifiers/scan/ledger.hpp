// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/events/observer.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// Whether evaluations are part of the cost (candidates, probes) or of a stock kept beside it (Tasting).
enum class Charge { kCost, kStock };

// How much of a family was looked at.
struct FamilyLooks {
  std::uint64_t offered = 0;    // features that were candidates
  std::uint64_t evaluated = 0;  // feature x example evaluations
};

// Examples that were looked at.
struct LookedAt {
  std::span<const std::uint32_t> rows;  // increasing, counted within the focus; empty: all in focus
  std::size_t num_in_focus = 0;

  std::size_t size() const { return rows.empty() ? num_in_focus : rows.size(); }
};

// Costs of a training run: every evaluation of a feature is counted here and nowhere else, so that no
// strategy can under-report.
class Ledger {
 public:
  Ledger(const FeatureSet& features, std::size_t num_classes);

  // Features that a sampler proposes as candidates: it says so once a search.
  void offer(std::span<const std::uint32_t> features);
  // Features that a sampler evaluates, or keeps for later, before the first round.
  void stock(std::size_t num_features);

  // The scan looked at these features (increasing) on these examples.
  void evaluated(std::span<const std::uint32_t> features, const LookedAt& examples, Charge charge);
  // The same for a later pass over some of the features of the last evaluation that was part of the cost, on
  // more examples: those which it had are not counted again as cost. What does not extend it is counted
  // whole.
  void extended(std::span<const std::uint32_t> features, const LookedAt& examples);
  // Forgets what was seen: there are other weights.
  void forget();
  // A chosen learner was evaluated: its refit, or the update of the weights.
  void chosen(std::size_t num_examples) { meters_.ue += num_examples; }

  // Adds the costs of a scan of other examples, or with other weights. REQUIRES: over the same families.
  void add(const Ledger& other);
  // The same of a whole training, except its seconds, which are measured from outside. REQUIRES: as above.
  void add(const Meters& meters, std::span<const FamilyUse> families);

  Meters& meters() { return meters_; }
  const Meters& meters() const { return meters_; }
  // One for each family.
  std::vector<FamilyLooks>& looks() { return looks_; }

 private:
  // num_new: of the examples, those that count as cost.
  void count(std::span<const std::uint32_t> features, std::size_t num_examples, std::size_t num_new);
  void remember(std::span<const std::uint32_t> features, const LookedAt& examples);

  const FeatureSet& features_;
  std::size_t num_classes_;
  Meters meters_;
  std::vector<FamilyLooks> looks_;
  // Features and rows of the last evaluation that was part of the cost; no row stands for all.
  std::vector<std::uint32_t> seen_features_, seen_rows_;
};

}  // namespace mash
