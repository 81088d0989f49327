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
      first_vote_.push_back(votes_.size());
      for (const double vote : cell_votes(hypothesis)) votes_.push_back(hypothesis.alpha * vote);
      for (const Cut& cut : hypothesis.cuts) {
        const auto& needed = features()[cut.family_idx];
        const auto place = std::lower_bound(needed.begin(), needed.end(), cut.feature_idx) - needed.begin();
        cuts_.push_back({cut.always_holds() ? 0 : first[cut.family_idx] + std::size_t(place), cut.threshold,
                         cut.always_holds()});
      }
    }
  }

  void scores(std::span<const float> values, std::span<double> scores) const override {
    std::fill(scores.begin(), scores.end(), 0.0);
    const std::size_t num_classes = scores.size();
    double* __restrict sums = scores.data();
    const float nothing = 0;  // where all cuts always hold
    const float* x = values.empty() ? &nothing : values.data();
    const PlacedCut* cuts = cuts_.data();
    for (std::size_t t = 0; t < hypotheses_.size(); ++t) {
      const Hypothesis& hypothesis = hypotheses_[t];
      // Without a branch, which the processor could not foresee.
      const auto holds = [&](std::size_t i) {
        return bool(int(cuts[i].always_holds) | int(x[cuts[i].place] >= cuts[i].threshold));
      };
      const bool is_stump = hypothesis.cuts.size() == 1 && !hypothesis.is_tree();
      const std::size_t cell = is_stump ? holds(0) : cell_of(hypothesis, holds);
      const double* votes = &votes_[first_vote_[t] + cell * num_classes];
      for (std::size_t l = 0; l < num_classes; ++l) sums[l] += votes[l];
      cuts += hypothesis.cuts.size();
    }
  }

 private:
  struct PlacedCut {
    std::size_t place = 0;  // of its feature among the values; of one that always holds, the first
    float threshold = 0;
    bool always_holds = false;
  };

  std::vector<Hypothesis> hypotheses_;
  // Parts of all hypotheses, one after the other, as they are read: votes, times alpha, num_classes of them
  // for each cell; cuts.
  std::vector<double> votes_;
  std::vector<std::size_t> first_vote_;
  std::vector<PlacedCut> cuts_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const StrongClassifier& model) {
  return std::make_unique<AdditiveScorer>(model);
}

}  // namespace mash
