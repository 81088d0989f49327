// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/require.hpp"

namespace mash {

// Gains of the hypotheses of a model in the scores of the classes, and how much they can still change the
// difference of two scores. Holds T x K x K numbers for T hypotheses and K classes.
class ScoreGains {
 public:
  // REQUIRES: at least two classes.
  explicit ScoreGains(const StrongClassifier& model);

  std::size_t num_classes() const { return num_classes_; }
  std::size_t num_hypotheses() const { return reaches_.size(); }

  // alpha * vote for each class. REQUIRES: a cell of the hypothesis.
  std::span<const double> of(std::size_t hypothesis, std::size_t cell) const {
    const std::size_t begin = begins_[hypothesis] + cell * num_classes_;
    require(begin < begins_[hypothesis + 1], "ScoreGains: a cell of the hypothesis");
    return std::span(gains_).subspan(begin, num_classes_);
  }
  void add(std::size_t hypothesis, std::size_t cell, std::span<double> scores) const;
  // The same of several, in this order. REQUIRES: a cell of each.
  void add(std::span<const std::uint32_t> hypotheses, std::span<const std::uint8_t> cells,
           std::span<double> scores) const;

  // K x K: in row a and column b the most that the hypothesis can give to b and not to a. Negative where it
  // favours a in all its cells.
  std::span<const double> catch_up(std::size_t hypothesis) const;

  // |alpha| times the largest |vote|: no score is changed more by the hypothesis.
  double reach(std::size_t hypothesis) const { return reaches_[hypothesis]; }

  // No difference of two scores is wrong by more, in any order of the sum.
  double rounding() const { return rounding_; }

  // The class that leads, once no remaining hypothesis can change that; else nothing. remaining: the sum of
  // their catch_up. For two classes and votes (v,-v) that is |f| > sum of the remaining |alpha|. Rounding is
  // allowed for: the class is that of the sum in any order.
  std::optional<std::size_t> certain_class(std::span<const double> scores,
                                           std::span<const double> remaining) const;

 private:
  std::size_t num_classes_;
  std::vector<double> gains_;        // of each hypothesis: num_cells x K
  std::vector<std::size_t> begins_;  // of each hypothesis among them, and the end
  std::vector<double> catch_up_;     // of each hypothesis: K x K
  std::vector<double> reaches_;
  double rounding_ = 0;
};

}  // namespace mash
