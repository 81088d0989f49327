// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// Estimate of the wall seconds that it takes to extract a family and to choose its thresholds: the set-up,
// which all threads do at once, and the images. dim: the number of its features.
double extraction_seconds(std::uint32_t dim, const ExtractionCost& cost, const ExtractionContext& context);

// Whether a family is computed on demand and not stored. That is so where it needs more bytes than the limit
// of the store leaves, and for every family where training pictures never end. Columns that are given are
// always stored.
bool is_on_demand(const FamilySpec& spec, std::uint64_t store_bytes, std::uint64_t left,
                  const Dataset& dataset);

// The families that the store lacks and the time that it takes to fill it, for one progress bar over all of
// them.
class ExtractionPlan {
 public:
  // Looks at what the store has. Where much is missing, measures the cost of the missing families.
  ExtractionPlan(std::span<const FamilySpec> specs, const StoreSettings& settings,
                 const ExtractionContext& context);

  // The number of families that the store lacks.
  std::size_t num_missing() const { return num_missing_; }
  // Estimate of the wall seconds to fill the store; nothing where the work is too little to be measured.
  std::optional<double> seconds() const { return seconds_; }
  // The set-up of a family (ExtractionCost), which is a part of this; 0 where the store has it.
  double setup_seconds(std::size_t spec_idx) const { return setup_seconds_[spec_idx]; }
  // The share of a family in the work, in steps: 0 where the store has it.
  std::size_t steps(std::size_t spec_idx) const { return steps_[spec_idx]; }
  std::size_t total_steps() const;

 private:
  std::vector<std::size_t> steps_;
  std::vector<double> setup_seconds_;
  std::size_t num_missing_ = 0;
  std::optional<double> seconds_;
};

}  // namespace mash
