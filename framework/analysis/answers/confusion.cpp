// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/confusion.hpp"

#include <algorithm>
#include <numeric>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/require.hpp"

namespace mash {

Confusion::Confusion(std::size_t num_classes)
    : num_classes_(num_classes), counts_(num_classes * num_classes) {}

std::uint64_t Confusion::num_examples() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t(0));
}

std::uint64_t Confusion::num_wrong() const {
  std::uint64_t num_right = 0;
  for (std::size_t l = 0; l < num_classes_; ++l) num_right += count(l, l);
  return num_examples() - num_right;
}

std::vector<ConfusedPair> Confusion::pairs(std::size_t most) const {
  std::vector<ConfusedPair> pairs;
  for (std::size_t label = 0; label < num_classes_; ++label)
    for (std::size_t predicted = 0; predicted < num_classes_; ++predicted)
      if (label != predicted && count(label, predicted) > 0)
        pairs.push_back({label, predicted, count(label, predicted)});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ConfusedPair& a, const ConfusedPair& b) { return a.count > b.count; });
  pairs.resize(std::min(pairs.size(), most));
  return pairs;
}

Confusion confusion_of(std::span<const double> scores, std::span<const std::uint16_t> labels,
                       std::size_t num_classes) {
  require(scores.size() == labels.size() * num_classes, "confusion_of: scores of each example");
  Confusion confusion(num_classes);
  for (std::size_t n = 0; n < labels.size(); ++n)
    confusion.add(labels[n], predicted_class(scores.subspan(n * num_classes, num_classes)));
  return confusion;
}

}  // namespace mash
