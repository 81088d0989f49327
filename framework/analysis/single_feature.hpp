// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// A feature, and how much it knows of the class all by itself.
struct SingleFeature {
  std::uint32_t feature = 0;
  double error = 1;  // share of the judging examples that it gets wrong
};

// The feature with the fewest mistakes where each says, for every code, the class that is most frequent there
// among the examples that train; among equals the lowest. held_out: training examples, increasing, that judge
// and do not train; none: the test side judges. No feature on demand is looked at, which would take too long:
// the error is 1. REQUIRES: some examples judge.
SingleFeature best_single_feature(const FeatureSet& features, const Dataset& dataset,
                                  std::span<const std::uint32_t> held_out, const Workers& workers);

}  // namespace mash
