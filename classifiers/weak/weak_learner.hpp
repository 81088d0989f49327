// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"

namespace mash {

// The hypothesis that a round adds to the strong classifier, with its answer on the training examples.
struct WeakHypothesis {
  Hypothesis model;                 // alpha is 0 until the loss has set it
  double edge = 0;                  // on all training examples, >= 0
  std::vector<std::uint8_t> cells;  // the cell of each training example
  std::vector<double> votes;        // of each cell: cell_votes(model)
};

// Finds the hypothesis of a round; which features and examples it looks at is the sampler's choice.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  // Where it wants its thresholds: exact ones need the values kept beside the codes.
  virtual Cuts cuts() const { return Cuts::kCodes; }
  // Whether it builds on class edges, votes for and against each class, or takes any criterion's stumps.
  virtual bool needs_class_edges() const { return true; }
  virtual WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const = 0;
};

// The cut of a fitted stump.
Cut cut_of(const StumpFit& fit, const FeatureSet& features);

// Reads `cuts`, the setting that all weak learners have.
Result<Cuts> read_cuts(Settings& settings);

}  // namespace mash
