// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// Wall seconds to extract a family and to choose its thresholds, about. dim: its features.
// microseconds_per_image: of one thread.
double extraction_seconds(std::uint32_t dim, double microseconds_per_image, const ExtractionContext& context);

// Whether a family is computed on demand and not stored: one that takes more bytes of the store than are left
// of its limit, or any where training pictures never end. The columns of a table never are.
bool is_on_demand(const FamilySpec& spec, std::uint64_t store_bytes, std::uint64_t left,
                  const Dataset& dataset);

// The families that the store lacks, and how long it takes to fill it: for one bar over all of them.
class ExtractionPlan {
 public:
  // Looks at what the store has, and, where there is much to do, measures the cost of what it lacks.
  ExtractionPlan(std::span<const FamilySpec> specs, const StoreSettings& settings,
                 const ExtractionContext& context);

  // How many families the store lacks.
  std::size_t num_missing() const { return num_missing_; }
  // Wall seconds to fill the store, about; nothing where so little is to be done that it was not measured.
  std::optional<double> seconds() const { return seconds_; }
  // The share of a family in the work, in steps: 0 where the store has it.
  std::size_t steps(std::size_t spec_idx) const { return steps_[spec_idx]; }
  std::size_t total_steps() const;

 private:
  std::vector<std::size_t> steps_;
  std::size_t num_missing_ = 0;
  std::optional<double> seconds_;
};

}  // namespace mash
