// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/online/online_stump.hpp"

namespace mash {

// One summand of a booster's score: `above` where the stump's cut holds, `below` elsewhere.
struct StumpTerm {
  std::uint32_t feature = 0;
  float threshold = 0;
  double below = 0, above = 0;
};

// coefficient * the stump's answer.
StumpTerm stump_term(const FeatureStump& stump, double coefficient);

// Names a feature as a model does: its family, and its index there.
using FeaturePlace = std::function<Cut(std::uint32_t feature)>;

// Hypotheses that add score * votes[l] to the score of each class l, for any example. In a model of K
// classes, one against all others, the booster of class l has the votes 1 for l and 0 for the others; one
// booster for two classes has the votes (-1, +1). A term with below = -above becomes a stump, one whose cut
// always holds a constant learner, any other a tree of one cut; each alpha is the larger of |below| and
// |above|, terms that are 0 are left out. place: the threshold of what it returns is not looked at.
std::vector<Hypothesis> as_hypotheses(std::span<const StumpTerm> terms, std::span<const double> votes,
                                      const FeaturePlace& place);

}  // namespace mash
