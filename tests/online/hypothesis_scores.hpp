// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"

namespace mash::testing {

// The scores of each class for one example, of hypotheses that know the features of one family.
inline std::vector<double> scores_of(std::span<const Hypothesis> hypotheses, std::size_t num_classes,
                                     const std::vector<float>& x) {
  std::vector<double> scores(num_classes);
  for (const Hypothesis& hypothesis : hypotheses) {
    const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) {
      return hypothesis.cuts[i].holds(x.at(hypothesis.cuts[i].feature_idx));
    });
    const std::vector<double> votes = cell_votes(hypothesis);
    for (std::size_t l = 0; l < num_classes; ++l)
      scores[l] += hypothesis.alpha * votes.at(cell * num_classes + l);
  }
  return scores;
}

}  // namespace mash::testing
