// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/base/require.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The scores f_l(x_n) of the strong classifier so far, for the examples of one split. Hypotheses are queued
// and added together, so that the table is walked once for many rounds. They are added in order, so the sums
// have the same bits, no matter when they are added.
class Scores {
 public:
  Scores(std::size_t num_examples, std::size_t num_classes, const Workers& workers);

  // votes: num_cells x K.
  void add(std::vector<std::uint8_t> cells, std::span<const double> votes, double alpha);
  // Adds each hypothesis. Its cells are computed from these features on that side.
  void add(std::span<const Hypothesis> hypotheses, const FeatureSet& features, Side side);

  // Sets all sums to 0.
  void clear();

  // Adds the queued hypotheses.
  void settle();

  // f of one example, and of all. REQUIRES: settled.
  std::span<const double> row(std::size_t example_idx) const {
    return all().subspan(example_idx * num_classes_, num_classes_);
  }
  std::span<const double> all() const {
    require(queue_.empty(), "scores are settled before they are read");
    return scores_;
  }

  // The fraction of examples whose best-scored class is not their label. REQUIRES: settled.
  double error(std::span<const std::uint16_t> labels) const;

 private:
  struct Queued {
    std::vector<std::uint8_t> cells;
    std::vector<double> values;  // num_cells x K: alpha * vote
  };

  std::size_t num_classes_;
  const Workers& workers_;
  std::vector<double> scores_;
  std::vector<Queued> queue_;
};

}  // namespace mash
