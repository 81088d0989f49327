// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/additive_scorer.hpp"

#include <algorithm>

namespace mash {
namespace {

class AdditiveScorer final : public Scorer {
 public:
  explicit AdditiveScorer(const StrongClassifier& model)
      : Scorer(needed_features(model)), hypotheses_(model.hypotheses) {
    std::vector<std::size_t> first(features().size());  // where a family's values begin
    for (std::size_t k = 1; k < first.size(); ++k) first[k] = first[k - 1] + features()[k - 1].size();
    for (const Hypothesis& hypothesis : hypotheses_) {
      votes_.push_back(cell_votes(hypothesis));
      for (const Cut& cut : hypothesis.cuts) {
        const auto& needed = features()[cut.family_idx];
        const auto place = std::lower_bound(needed.begin(), needed.end(), cut.feature_idx) - needed.begin();
        places_.push_back(first[cut.family_idx] + std::size_t(place));
      }
    }
  }

  void scores(std::span<const float> values, std::span<double> scores) const override {
    std::fill(scores.begin(), scores.end(), 0.0);
    const std::size_t* place = places_.data();
    for (std::size_t t = 0; t < hypotheses_.size(); ++t) {
      const Hypothesis& hypothesis = hypotheses_[t];
      const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) {
        return hypothesis.cuts[i].always_holds() || hypothesis.cuts[i].holds(values[place[i]]);
      });
      place += hypothesis.cuts.size();
      const double* votes = &votes_[t][cell * scores.size()];
      for (std::size_t l = 0; l < scores.size(); ++l) scores[l] += hypothesis.alpha * votes[l];
    }
  }

 private:
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::vector<double>> votes_;  // of each hypothesis: num_cells x K
  // Where the feature of each cut, in order, stands among the values. Nobody looks there for one that always
  // holds.
  std::vector<std::size_t> places_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const StrongClassifier& model) {
  return std::make_unique<AdditiveScorer>(model);
}

}  // namespace mash
