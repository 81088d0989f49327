// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// One threshold on one feature: the sampler's feature, refitted on all training examples.
class StumpLearner final : public WeakLearner {
 public:
  explicit StumpLearner(Cuts cuts = Cuts::kCodes) : cuts_(cuts) {}

  bool needs_class_edges() const override { return false; }
  Cuts cuts() const override { return cuts_; }
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const override;

 private:
  Cuts cuts_;
};

// The hypothesis of a fitted stump.
WeakHypothesis stump_hypothesis(StumpFit fit, const FeatureSet& features);

Result<std::unique_ptr<const WeakLearner>> make_stump(Settings& settings);

}  // namespace mash
