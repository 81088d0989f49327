// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

// REQUIRES: costs that are accepted.
inline FeatureCosts make_costs(std::vector<FamilyCosts> families) {
  return *FeatureCosts::make(std::move(families));
}

// One family "f" without set-up.
inline FeatureCosts one_family(std::vector<double> costs) { return make_costs({{"f", std::move(costs)}}); }

inline Hypothesis stump(std::uint32_t family, std::uint32_t feature, double alpha = 1,
                        std::vector<double> votes = {1, -1}) {
  return {alpha, {{family, feature, 0.5f}}, std::move(votes), {}};
}

// A model of the families that these costs are of.
inline StrongClassifier model_on(const std::vector<FamilyCosts>& families, std::size_t num_classes) {
  StrongClassifier model;
  for (std::size_t l = 0; l < num_classes; ++l) model.class_names.push_back(std::to_string(l));
  for (const FamilyCosts& family : families)
    model.families.push_back({family.family, "h", "1.0.0", {}, std::uint32_t(family.features.size())});
  return model;
}

// Two classes; a stump with votes (1,-1) for each coefficient, each on a feature of its own of family "f".
inline StrongClassifier binary_model(const std::vector<double>& alphas) {
  StrongClassifier model = model_on({equal_costs("f", std::uint32_t(alphas.size()), 1)}, 2);
  for (std::uint32_t t = 0; t < alphas.size(); ++t) model.hypotheses.push_back(stump(0, t, alphas[t]));
  return model;
}

// One to three families of one to six features; some features are free, some families have a set-up.
inline std::vector<FamilyCosts> random_families(RandomStream& stream) {
  std::vector<FamilyCosts> families(1 + stream.below(3));
  for (std::size_t k = 0; k < families.size(); ++k) {
    families[k] = random_costs(std::string("family ") + char('a' + k), std::uint32_t(1 + stream.below(6)),
                               stream.next_u64());
    if (stream.below(4) == 0) families[k].features[0] = 0;
    if (stream.below(2) == 0) families[k].setup = stream.uniform(0, 3);
  }
  return families;
}

// A stump, product or tree with up to four cuts, which may ask a feature again or always hold.
inline Hypothesis random_hypothesis(const StrongClassifier& model, RandomStream& stream) {
  Hypothesis hypothesis;
  hypothesis.alpha = stream.uniform(0.01, 1);
  const bool is_tree = stream.below(3) == 0;
  for (std::size_t i = 0, num_cuts = 1 + stream.below(4); i < num_cuts; ++i) {
    Cut cut{std::uint32_t(stream.below(model.families.size())), 0, 0.5f};
    cut.feature_idx = std::uint32_t(stream.below(model.families[cut.family_idx].dim));
    if (stream.below(6) == 0) cut.threshold = -std::numeric_limits<float>::infinity();
    hypothesis.cuts.push_back(cut);
    // A chain: each cut below the one before.
    if (is_tree) {
      if (i > 0) hypothesis.branches.back().below = std::int32_t(i);
      hypothesis.branches.push_back({-2 - std::int32_t(i), -1 - std::int32_t(i)});
    }
  }
  const std::size_t num_rows = is_tree ? hypothesis.num_cells() : 1;
  for (std::size_t i = 0; i < num_rows * model.num_classes(); ++i)
    hypothesis.votes.push_back(stream.below(2) == 0 ? -1 : 1);
  return hypothesis;
}

inline StrongClassifier random_model(const std::vector<FamilyCosts>& families, std::size_t num_classes,
                                     std::size_t num_hypotheses, RandomStream& stream) {
  StrongClassifier model = model_on(families, num_classes);
  for (std::size_t t = 0; t < num_hypotheses; ++t)
    model.hypotheses.push_back(random_hypothesis(model, stream));
  return model;
}

// The scores of an example that falls into these cells, as the model adds them up.
inline std::vector<double> full_scores(const StrongClassifier& model, const std::vector<std::size_t>& cells) {
  std::vector<double> scores(model.num_classes());
  for (std::size_t t = 0; t < cells.size(); ++t) {
    const std::vector<double> votes = cell_votes(model.hypotheses[t]);
    for (std::size_t l = 0; l < scores.size(); ++l)
      scores[l] += model.hypotheses[t].alpha * votes[cells[t] * scores.size() + l];
  }
  return scores;
}

// A cell of each hypothesis; that of a constant learner is always 1.
inline std::vector<std::size_t> random_cells(const StrongClassifier& model, RandomStream& stream) {
  std::vector<std::size_t> cells;
  for (const Hypothesis& hypothesis : model.hypotheses)
    cells.push_back(hypothesis.is_constant() ? 1 : stream.below(hypothesis.num_cells()));
  return cells;
}

}  // namespace mash::testing
