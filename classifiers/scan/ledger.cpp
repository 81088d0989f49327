// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/ledger.hpp"

#include <algorithm>

#include "framework/base/require.hpp"

namespace mash {
namespace {

bool includes(std::span<const std::uint32_t> all, std::span<const std::uint32_t> some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace

Ledger::Ledger(const FeatureSet& features, std::size_t num_classes)
    : features_(features), num_classes_(num_classes), looks_(features.num_families()) {}

void Ledger::offer(std::span<const std::uint32_t> features) {
  for (const std::uint32_t feature : features) ++looks_[features_.family_of(feature)].offered;
}

void Ledger::stock(std::size_t num_features) {
  meters_.once += std::uint64_t(num_features) * features_.num_train();
}

void Ledger::evaluated(std::span<const std::uint32_t> features, const LookedAt& examples, Charge charge) {
  const bool is_cost = charge == Charge::kCost;
  count(features, examples.size(), is_cost ? examples.size() : 0);
  if (is_cost) remember(features, examples);
}

void Ledger::extended(std::span<const std::uint32_t> features, const LookedAt& examples) {
  const bool on_more = examples.rows.empty() || (!seen_rows_.empty() && includes(examples.rows, seen_rows_));
  if (!on_more || !includes(seen_features_, features)) return evaluated(features, examples, Charge::kCost);
  const std::size_t num_seen = seen_rows_.empty() ? examples.size() : seen_rows_.size();
  count(features, examples.size(), examples.size() - num_seen);
  remember(features, examples);
}

void Ledger::add(const Ledger& other) {
  require(looks_.size() == other.looks_.size(), "Ledger::add: over the same families");
  meters_.fe += other.meters_.fe;
  meters_.ops += other.meters_.ops;
  meters_.ue += other.meters_.ue;
  meters_.once += other.meters_.once;
  meters_.seconds += other.meters_.seconds;
  for (const Phase& phase : kPhases) meters_.phases.*phase.seconds += other.meters_.phases.*phase.seconds;
  for (std::size_t k = 0; k < looks_.size(); ++k) {
    looks_[k].offered += other.looks_[k].offered;
    looks_[k].evaluated += other.looks_[k].evaluated;
  }
}

void Ledger::add(const Meters& meters, std::span<const FamilyUse> families) {
  Ledger other(features_, num_classes_);
  other.meters_ = meters;
  other.meters_.seconds = 0;
  require(looks_.size() == families.size(), "Ledger::add: over the same families");
  for (std::size_t k = 0; k < families.size(); ++k)
    other.looks_[k] = {families[k].offered, families[k].evaluated};
  add(other);
}

void Ledger::forget() { seen_features_.clear(); }

void Ledger::count(std::span<const std::uint32_t> features, std::size_t num_examples, std::size_t num_new) {
  meters_.ops += std::uint64_t(features.size()) * num_examples * num_classes_;
  meters_.fe += std::uint64_t(features.size()) * num_new;
  for (const std::uint32_t feature : features) looks_[features_.family_of(feature)].evaluated += num_new;
}

void Ledger::remember(std::span<const std::uint32_t> features, const LookedAt& examples) {
  seen_features_.assign(features.begin(), features.end());
  seen_rows_.assign(examples.rows.begin(), examples.rows.end());
}

}  // namespace mash
