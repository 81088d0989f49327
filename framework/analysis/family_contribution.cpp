// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/family_contribution.hpp"

namespace mash {
FamilyCost cost_of(const FeatureSet& features, std::span<const std::size_t> families) {
  FamilyCost cost;
  const std::vector<FamilyInfo> infos = features.families_with_faults();
  for (const std::size_t k : families) {
    const FamilyInfo& info = infos[k];
    cost.microseconds_per_image += info.microseconds_per_image;
    cost.dim += info.dim;
    cost.num_faults += info.num_training_faults;
    for (std::uint32_t j = 0; j < info.dim && !info.lazy; ++j)
      cost.num_constant += features.num_cuts(features.first_feature(k) + j) == 0;
  }
  const auto own = std::uint32_t(features.subset(families).num_distinct());
  const auto others = all_but(families, features.num_families());
  const std::uint64_t num_others = others.empty() ? 0 : features.subset(others).num_distinct();
  cost.num_own_copies = cost.dim - cost.num_constant - own;
  cost.num_pool_copies = std::uint32_t(num_others + own - features.num_distinct());
  return cost;
}

}  // namespace mash
