// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/stump.hpp"

namespace mash {

WeakHypothesis StumpLearner::learn(StumpScan& scan, Sampler& sampler, const Round& round) {
  StumpFit fit = scan.refit(sampler.propose(scan, round));
  WeakHypothesis result;
  result.model.cuts = {cut_of(fit, scan.features())};
  for (const double vote : fit.votes_above()) result.model.votes.push_back(std::int8_t(vote));
  result.edge = fit.edge;
  result.cells = std::move(fit.above);
  result.votes = cell_votes(result.model);
  return result;
}

Result<std::unique_ptr<WeakLearner>> make_stump(Settings& settings) {
  MASH_ASSIGN(const Cuts cuts, read_cuts(settings));
  return {std::make_unique<StumpLearner>(cuts)};
}

}  // namespace mash
