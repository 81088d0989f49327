// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// One threshold on one feature: the sampler's feature, refitted on all training examples.
class StumpLearner final : public WeakLearner {
 public:
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) override;
};

Result<std::unique_ptr<WeakLearner>> make_stump(Settings& settings);

}  // namespace mash
