// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/weak_learner.hpp"

#include <array>

namespace mash {

Cut cut_of(const StumpFit& fit, const FeatureSet& features) {
  return {features.family_of(fit.feature), features.index_in_family(fit.feature), fit.threshold};
}

Result<Cuts> read_cuts(Settings& settings) {
  constexpr std::array kCuts{Choice{"codes", Cuts::kCodes}, Choice{"exact", Cuts::kExact}};
  return settings.one_of("cuts", Cuts::kCodes, kCuts);
}

}  // namespace mash
