// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/model/model_head.hpp"

namespace mash {

// A question to one feature: whether x >= threshold. NaN is below every threshold.
struct Cut {
  std::uint32_t family_idx = 0;
  std::uint32_t feature_idx = 0;  // within the family
  float threshold = 0;            // -infinity: it holds for every x, NaN too

  bool always_holds() const { return threshold == -std::numeric_limits<float>::infinity(); }
  bool holds(float x) const { return always_holds() || x >= threshold; }
  bool operator==(const Cut&) const = default;
};

// The branches of a cut in a tree. A value >= 0 is the number of another cut; a negative value leads to leaf
// number -1 - value.
struct Branches {
  std::int32_t below = -1;  // where it does not hold
  std::int32_t above = -2;  // where it holds
  bool operator==(const Branches&) const = default;
};

// A hypothesis h(x) = alpha * the vote vector of the cell that x falls into. The votes of AdaBoost.MH are in
// {-1,+1}^K (its "discrete" form, Schapire & Singer 1999); those of other boosters are other numbers. There
// are the three kinds of Kegl & Busa-Fekete (2009):
//   a stump    one cut; v where it holds, -v elsewhere. A cut that always holds is the constant learner;
//   a product  of stumps: v where an even number of its cuts does not hold, -v elsewhere;
//   a tree     of cuts, the first one its root, children after parents; a vote vector for each leaf.
struct Hypothesis {
  double alpha = 0;
  std::vector<Cut> cuts;           // at least one
  std::vector<double> votes;       // K of a stump or product; num_leaves x K of a tree; finite
  std::vector<Branches> branches;  // of a tree, for each cut; empty otherwise

  static constexpr std::size_t kMaxLeaves = 255;

  bool is_tree() const { return !branches.empty(); }
  bool is_constant() const { return cuts.size() == 1 && cuts[0].always_holds() && !is_tree(); }
  std::size_t num_cells() const { return is_tree() ? branches.size() + 1 : 2; }
  bool operator==(const Hypothesis&) const = default;
};

// The cell of an example. For a tree it is the leaf; else it is 1 where the vote is v and 0 where it is -v.
// holds(i): whether cut i holds for the example.
template <class Holds>
std::size_t cell_of(const Hypothesis& hypothesis, const Holds& holds) {
  if (!hypothesis.is_tree()) {
    bool positive = true;
    for (std::size_t i = 0; i < hypothesis.cuts.size(); ++i) positive ^= !holds(i);
    return positive;
  }
  std::int32_t place = 0;
  do {
    const Branches& branches = hypothesis.branches[std::size_t(place)];
    place = holds(std::size_t(place)) ? branches.above : branches.below;
  } while (place >= 0);
  return std::size_t(-1 - place);
}

// The votes of each cell, num_cells x K.
std::vector<double> cell_votes(const Hypothesis& hypothesis);

// Costs of the features of a new example, as the model file keeps them. Only features that the model's cuts
// ask for are listed.
struct ModelFamilyCosts {
  double setup = 0;                     // paid once for all features of the family
  std::vector<std::uint32_t> features;  // increasing
  std::vector<double> costs;            // one of each
  bool operator==(const ModelFamilyCosts&) const = default;
};
struct ModelCosts {
  // The unit of all setups and costs: "microseconds" where they were measured; "features" where each feature
  // costs 1 and no family has a set-up; empty where the user chose the unit.
  std::string unit;
  std::vector<ModelFamilyCosts> families;  // one for each family of the model
  bool operator==(const ModelCosts&) const = default;
};

// The model f(x) = the sum of the hypotheses. The class is argmax f_l, ties to the lowest. It knows no
// trainer and no data.
struct StrongClassifier : ModelHead {
  static constexpr std::string_view kKind = "sum";

  std::vector<Hypothesis> hypotheses;  // in the order in which they are evaluated
  std::optional<ModelCosts> costs;     // where it was trained to be cheap, or is to be used within a budget

  bool operator==(const StrongClassifier&) const = default;
};

// For each family, the features that cuts ask for, increasing. A cut that always holds asks for none.
std::vector<std::vector<std::uint32_t>> needed_features(const StrongClassifier& model);

// The sum over hypotheses of |alpha| times the largest |vote|. No score is larger.
double score_bound(const StrongClassifier& model);

// The class of the largest score, ties to the lowest index.
std::size_t predicted_class(std::span<const double> scores);
// The same for one example after another, num_classes scores each.
std::vector<std::uint16_t> predicted_classes(std::span<const double> scores, std::size_t num_classes);

// The fraction of examples whose predicted class is not their label. REQUIRES: as many predictions as labels,
// at least one.
double error_of(std::span<const std::uint16_t> predicted, std::span<const std::uint16_t> labels);

// (f_y - max over l != y of f_l) / (2 score_bound), in [-1, 1] (where votes are 0 or 1, in [-1/2, 1/2]):
// negative or 0 for a mistake. For K = 1: f / score_bound. A linear model's scores of new examples may be
// larger than its bound: their margins are cut off at -1 and 1.
double margin(std::span<const double> scores, std::size_t label, double score_bound);

}  // namespace mash
