// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/stump.hpp"

namespace mash {

namespace {

// Whether each class has opposite votes on the two sides, as a stump is written.
bool are_opposite(std::span<const double> cell_votes) {
  const std::size_t num_classes = cell_votes.size() / 2;
  for (std::size_t l = 0; l < num_classes; ++l)
    if (cell_votes[l] != -cell_votes[num_classes + l]) return false;
  return true;
}

}  // namespace

WeakHypothesis StumpLearner::learn(StumpScan& scan, Sampler& sampler, const Round& round) const {
  return stump_hypothesis(scan.refit(sampler.propose(scan, round)), scan.features());
}

WeakHypothesis stump_hypothesis(StumpFit fit, const FeatureSet& features) {
  WeakHypothesis result;
  result.model.cuts = {cut_of(fit, features)};
  if (are_opposite(fit.cell_votes)) {
    result.model.votes.assign(fit.votes_above().begin(), fit.votes_above().end());
  } else {  // a tree of one cut
    result.model.votes = fit.cell_votes;
    result.model.branches = {Branches()};
  }
  result.edge = fit.edge;
  result.cells = std::move(fit.above);
  result.votes = cell_votes(result.model);
  return result;
}

Result<std::unique_ptr<const WeakLearner>> make_stump(Settings& settings) {
  MASH_ASSIGN(const Cuts cuts, read_cuts(settings));
  return {std::make_unique<const StumpLearner>(cuts)};
}

}  // namespace mash
