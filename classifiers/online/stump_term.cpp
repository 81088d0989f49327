// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stump_term.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

void add_votes(double factor, std::span<const double> votes, std::vector<double>& all) {
  for (const double vote : votes) all.push_back(factor * vote);
}

}  // namespace

StumpTerm stump_term(const FeatureStump& stump, double coefficient) {
  const double above = coefficient * stump.polarity;
  return {stump.feature, stump.threshold, -above, above};
}

std::vector<Hypothesis> as_hypotheses(std::span<const StumpTerm> terms, std::span<const double> votes,
                                      const FeaturePlace& place) {
  std::vector<Hypothesis> hypotheses;
  for (const StumpTerm& term : terms) {
    Hypothesis hypothesis;
    hypothesis.cuts = {place(term.feature)};
    hypothesis.cuts[0].threshold = term.threshold;
    const bool has_one_side = hypothesis.cuts[0].always_holds();
    hypothesis.alpha = std::max(std::abs(term.above), has_one_side ? 0 : std::abs(term.below));
    if (hypothesis.alpha == 0) continue;
    if (!has_one_side && term.below != -term.above) {
      hypothesis.branches = {Branches{}};
      add_votes(term.below / hypothesis.alpha, votes, hypothesis.votes);
    }
    add_votes(term.above / hypothesis.alpha, votes, hypothesis.votes);
    hypotheses.push_back(std::move(hypothesis));
  }
  return hypotheses;
}

}  // namespace mash
