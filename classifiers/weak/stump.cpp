// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/stump.hpp"

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

Result<std::unique_ptr<WeakLearner>> make_stump(Settings&) { return {std::make_unique<StumpLearner>()}; }

}  // namespace mash
