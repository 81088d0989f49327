// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/events/observer.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The account of evaluations: they are part of the cost (candidates, probes), or of a stock that is kept
// apart (Tasting).
enum class Charge { kCost, kStock };

// The amount of a family that was looked at.
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

  // Notes features that a sampler proposes as candidates. Called once for each search.
  void offer(std::span<const std::uint32_t> features);
  // Notes features that a sampler evaluates, or keeps for later, before the first round.
  void stock(std::size_t num_features);

  // Notes that the scan looked at these features (increasing) on these examples.
  void evaluated(std::span<const std::uint32_t> features, const LookedAt& examples, Charge charge);
  // Notes a later pass, on more examples, over some features of the last evaluation that was part of the
  // cost. Examples of that evaluation are not counted as cost again. A pass that does not extend it is
  // counted whole.
  void extended(std::span<const std::uint32_t> features, const LookedAt& examples);
  // Forgets the last evaluation, because the weights have changed.
  void forget();
  // Notes that a chosen learner was evaluated, for its refit or the update of the weights.
  void chosen(std::size_t num_examples) { meters_.ue += num_examples; }

  // Adds the costs of another scan, of other examples or with other weights. REQUIRES: it is over the same
  // families.
  void add(const Ledger& other);
  // Adds the costs of a whole training, except its seconds, which are measured from outside. REQUIRES: as
  // above.
  void add(const Meters& meters, std::span<const FamilyUse> families);

  Meters& meters() { return meters_; }
  const Meters& meters() const { return meters_; }
  // One for each family.
  std::vector<FamilyLooks>& looks() { return looks_; }

 private:
  // num_new: the number of the examples that count as cost.
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
