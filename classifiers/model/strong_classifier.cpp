// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/strong_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/base/require.hpp"

namespace mash {

std::vector<double> cell_votes(const Hypothesis& hypothesis) {
  if (hypothesis.is_tree()) return hypothesis.votes;
  std::vector<double> votes;
  for (const double vote : hypothesis.votes) votes.push_back(-vote);
  votes.insert(votes.end(), hypothesis.votes.begin(), hypothesis.votes.end());
  return votes;
}

std::vector<std::vector<std::uint32_t>> needed_features(const StrongClassifier& model) {
  std::vector<std::vector<std::uint32_t>> needed(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts)
      if (!cut.always_holds()) needed[cut.family_idx].push_back(cut.feature_idx);
  for (auto& features : needed) {
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
  }
  return needed;
}

double score_bound(const StrongClassifier& model) {
  double bound = 0;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    double largest = 0;
    for (const double vote : hypothesis.votes) largest = std::max(largest, std::abs(vote));
    bound += std::abs(hypothesis.alpha) * largest;
  }
  return bound;
}

std::size_t predicted_class(std::span<const double> scores) {
  return std::size_t(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::vector<std::uint16_t> predicted_classes(std::span<const double> scores, std::size_t num_classes) {
  std::vector<std::uint16_t> classes;
  classes.reserve(scores.size() / num_classes);
  for (std::size_t begin = 0; begin < scores.size(); begin += num_classes)
    classes.push_back(std::uint16_t(predicted_class(scores.subspan(begin, num_classes))));
  return classes;
}

double error_of(std::span<const std::uint16_t> predicted, std::span<const std::uint16_t> labels) {
  require(predicted.size() == labels.size() && !labels.empty(),
          "error_of: as many predictions as labels, at least one");
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < predicted.size(); ++n) num_wrong += predicted[n] != labels[n];
  return double(num_wrong) / double(predicted.size());
}

double margin(std::span<const double> scores, std::size_t label, double score_bound) {
  if (score_bound <= 0) return 0;
  if (scores.size() == 1) return std::clamp(scores[0] / score_bound, -1.0, 1.0);
  double best_other = -std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (l != label) best_other = std::max(best_other, scores[l]);
  return std::clamp((scores[label] - best_other) / (2 * score_bound), -1.0, 1.0);
}

}  // namespace mash
