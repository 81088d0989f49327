// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/nearest_right.hpp"

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t l = 0; l < a.size(); ++l) sum += (a[l] - b[l]) * (a[l] - b[l]);
  return sum;
}

}  // namespace

RightExamples::RightExamples(std::span<const double> scores, std::size_t num_classes,
                             std::span<const std::uint16_t> labels)
    : scores_(scores), num_classes_(num_classes), right_(num_classes) {
  require(scores.size() == labels.size() * num_classes, "RightExamples: scores of each example");
  for (std::size_t n = 0; n < labels.size(); ++n)
    if (predicted_class(scores_of(n)) == labels[n]) right_[labels[n]].push_back(n);
}

std::optional<std::size_t> RightExamples::nearest(std::size_t example, std::size_t class_idx) const {
  std::optional<std::size_t> best;
  double smallest = 0;
  if (class_idx >= right_.size()) return best;
  for (const std::size_t other : right_[class_idx]) {
    if (other == example) continue;
    const double distance = squared_distance(scores_of(example), scores_of(other));
    if (best && distance >= smallest) continue;
    best = other;
    smallest = distance;
  }
  return best;
}

}  // namespace mash
