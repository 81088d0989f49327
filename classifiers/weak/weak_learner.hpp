// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"

namespace mash {

// What a round adds to the strong classifier, less its coefficient, with its answer on the training examples.
// A hypothesis splits the examples into cells and gives each cell a vote vector: a stump has two, a tree one
// per leaf.
struct WeakHypothesis {
  Stump stump;                      // alpha is 0 until the loss has set it
  double edge = 0;                  // on all training examples, >= 0
  std::vector<std::uint8_t> cells;  // the cell of each training example
  std::vector<std::int8_t> votes;   // num_cells x K of -1 or +1
};

// Finds the hypothesis of a round; which features and examples it looks at is the sampler's choice.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  // Where it wants its thresholds: exact ones need the values kept beside the codes.
  virtual Cuts cuts() const { return Cuts::kCodes; }
  virtual WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) = 0;
};

// The votes per cell of a stump: -v where phi = -1 (cell 0), v where phi = +1 (cell 1).
std::vector<std::int8_t> stump_votes(const Stump& stump);

// The stump's feature as a number of the feature set.
std::uint32_t feature_of(const Stump& stump, const FeatureSet& features);

}  // namespace mash
