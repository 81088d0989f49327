// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/online/stump_term.hpp"
#include "classifiers/scan/ledger.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// Codes of features as the numbers that online boosters learn from. The code is 0 for values below all
// thresholds of a feature, and for NaN. A threshold between two codes stands for a threshold of the feature.
class CodeValues {
 public:
  // Both outlive it. Each code that is asked for is counted in the ledger.
  CodeValues(const FeatureSet& features, Ledger& ledger)
      : features_(features), ledger_(ledger), place_(features.num_features()) {}

  // values[i] = the code of features[i] for a training example. features: distinct, in any order.
  // REQUIRES: as many values as features.
  void get(std::uint32_t example_idx, std::span<const std::uint32_t> features, std::span<float> values);

  // The stump with its threshold turned from codes into a value of the feature. It gives the same answer for
  // every example.
  StumpTerm in_values(const StumpTerm& term) const;
  // The stump, on codes, of a hypothesis with one cut and one vote. REQUIRES: its threshold is one of the
  // feature's.
  FeatureStump stump_of(const Hypothesis& hypothesis) const;

 private:
  void arrange(std::span<const std::uint32_t> features);

  const FeatureSet& features_;
  Ledger& ledger_;
  std::vector<std::uint32_t> asked_;    // as they were asked for last
  std::vector<std::uint32_t> ordered_;  // the same, increasing
  std::vector<std::uint32_t> place_;    // of each feature of asked_, in ordered_; else anything
  std::vector<std::uint8_t> codes_;     // of ordered_
};

}  // namespace mash
