// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/additive_scorer.hpp"

#include <algorithm>

namespace mash {
namespace {

using FeatureLists = std::vector<std::vector<std::uint32_t>>;

FeatureLists used_features(const StrongClassifier& model) {
  FeatureLists used(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) used[cut.family_idx].push_back(cut.feature_idx);
  for (auto& features : used) {
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
  }
  return used;
}

class AdditiveScorer final : public Scorer {
 public:
  explicit AdditiveScorer(const StrongClassifier& model)
      : Scorer(used_features(model)), hypotheses_(model.hypotheses) {
    std::vector<std::size_t> first(features().size());  // where a family's values begin
    for (std::size_t k = 1; k < first.size(); ++k) first[k] = first[k - 1] + features()[k - 1].size();
    for (const Hypothesis& hypothesis : hypotheses_) {
      votes_.push_back(cell_votes(hypothesis));
      for (const Cut& cut : hypothesis.cuts) {
        const auto& used = features()[cut.family_idx];
        const auto place = std::lower_bound(used.begin(), used.end(), cut.feature_idx) - used.begin();
        places_.push_back(first[cut.family_idx] + std::size_t(place));
      }
    }
  }

  void scores(std::span<const float> values, std::span<double> scores) const override {
    std::fill(scores.begin(), scores.end(), 0.0);
    const std::size_t* place = places_.data();
    for (std::size_t t = 0; t < hypotheses_.size(); ++t) {
      const Hypothesis& hypothesis = hypotheses_[t];
      const std::size_t cell =
          cell_of(hypothesis, [&](std::size_t i) { return hypothesis.cuts[i].holds(values[place[i]]); });
      place += hypothesis.cuts.size();
      const double* votes = &votes_[t][cell * scores.size()];
      for (std::size_t l = 0; l < scores.size(); ++l) scores[l] += hypothesis.alpha * votes[l];
    }
  }

 private:
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::vector<double>> votes_;  // of each hypothesis: num_cells x K
  std::vector<std::size_t> places_;  // of each cut, in order: where its feature stands among the values
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const StrongClassifier& model) {
  return std::make_unique<AdditiveScorer>(model);
}

}  // namespace mash
