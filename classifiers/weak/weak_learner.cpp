// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/weak_learner.hpp"

#include <array>
#include <string>

namespace mash {

Cut cut_of(const StumpFit& fit, const FeatureSet& features) {
  return {features.family_of(fit.feature), features.index_in_family(fit.feature), fit.threshold};
}

Result<Cuts> read_cuts(Settings& settings) {
  constexpr std::array<std::string_view, 2> kCuts{"codes", "exact"};
  MASH_ASSIGN(const std::string cuts, settings.choice("cuts", "codes", kCuts));
  return cuts == "exact" ? Cuts::kExact : Cuts::kCodes;
}

}  // namespace mash
