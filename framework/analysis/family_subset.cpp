// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/family_subset.hpp"

#include <algorithm>

namespace mash {

FamilySubset all_but(std::span<const std::size_t> families, std::size_t num_families) {
  FamilySubset others;
  for (std::size_t k = 0; k < num_families; ++k)
    if (std::find(families.begin(), families.end(), k) == families.end()) others.push_back(k);
  return others;
}

}  // namespace mash
