// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/stump.hpp"

#include <array>
#include <string>

namespace mash {

WeakHypothesis StumpLearner::learn(StumpScan& scan, Sampler& sampler, const Round& round) {
  StumpFit fit = scan.refit(sampler.propose(scan, round));
  const FeatureSet& features = scan.features();
  WeakHypothesis hypothesis;
  hypothesis.stump.family_idx = features.family_of(fit.feature);
  hypothesis.stump.feature_idx = features.index_in_family(fit.feature);
  hypothesis.stump.threshold = fit.threshold;
  hypothesis.stump.votes = std::move(fit.votes);
  hypothesis.edge = fit.edge;
  hypothesis.cells = std::move(fit.above);
  hypothesis.votes = stump_votes(hypothesis.stump);
  return hypothesis;
}

Result<std::unique_ptr<WeakLearner>> make_stump(Settings& settings) {
  constexpr std::array<std::string_view, 2> kCuts{"codes", "exact"};
  MASH_ASSIGN(const std::string cuts, settings.choice("cuts", "codes", kCuts));
  return {std::make_unique<StumpLearner>(cuts == "exact" ? Cuts::kExact : Cuts::kCodes)};
}

}  // namespace mash
