// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classifiers/baselines/limited_memory.hpp"
#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/learners/iteration_limits.hpp"
#include "classifiers/learners/standard_rows.hpp"
#include "framework/base/state_numbers.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Multinomial logistic regression (Hastie, Tibshirani & Friedman 2009, 4.4). It minimises, over v_k and b_k,
//   sum over k of |v_k|^2 / 2 + the sum over n of C w_n loss_n,  loss_n = -ln p_n,
// with p_n the probability of the class of n, p_l proportional to exp(f_l(z_n)), f_l(z) = v_l z + b_l. Of two
// classes the second one alone has a function, and that of the first is 0.
// Each iteration takes a direction from the last few (LimitedMemory), and the step along it from the scores
// of all examples, which are linear in the step. The tolerance is that of the largest slope, where the mean
// loss counts once.
class SoftmaxRegression {
 public:
  // Rows and labels outlive it. labels: of each row.
  SoftmaxRegression(const StandardRows& rows, std::span<const std::uint16_t> labels, std::size_t num_classes);

  // Begins a search where the last one ended. weights: w_n, one for each row, which outlive the search.
  void begin(double cost, std::span<const double> weights, const IterationLimits& limits,
             const Workers& workers);
  // REQUIRES: a search has begun and has not ended.
  void iterate(const Workers& workers);
  bool has_ended() const { return has_converged() || num_iterations_ == limits_.num_iterations; }
  bool has_converged() const { return slope_ <= limits_.tolerance; }
  std::uint32_t num_iterations() const { return num_iterations_; }
  // The largest slope, as the tolerance has it.
  double slope() const { return slope_; }

  // The classes of these rows.
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const;
  std::string note() const;
  // Factors and intercepts of all classes, as LinearFit has them, of the columns that vary; of two classes
  // half of the function each way, so that the scores of classes are those of p. features: those of the
  // columns.
  void write(std::span<const std::uint32_t> features, LinearFit& fit) const;

  void keep(StateWriter& writer) const;
  // REQUIRES: `begin` was called as for the one that was kept, with the same rows.
  void take_back(StateReader& reader);

 private:
  // The function of the class of row n; num_functions_ where it has none.
  std::size_t own_function(std::size_t n) const {
    if (num_functions_ == num_classes_) return labels_[n];
    return labels_[n] == 1 ? 0 : num_functions_;
  }
  // Scores of all rows, row by row, of these functions.
  std::vector<double> scores_of(std::span<const double> functions, const Workers& workers) const;
  // Derivatives in the step of the losses along a line of scores, C w_n times each.
  struct LossOnLine {
    double slope = 0, curvature = 0;
    LossOnLine& operator+=(const LossOnLine& other);
  };
  LossOnLine loss_at(double step, std::span<const double> along, const Workers& workers) const;
  // The length of a step in this direction. along: the scores of the direction.
  double step_along(std::span<const double> direction, std::span<const double> along,
                    const Workers& workers) const;
  void find_gradient(const Workers& workers);

  const StandardRows* rows_;
  std::span<const std::uint16_t> labels_;
  std::size_t num_classes_, num_functions_;
  double cost_ = 0;
  std::span<const double> weights_;
  double total_weight_ = 0;
  IterationLimits limits_;
  std::vector<double> functions_;  // all v_k, one after the other, then all b_k
  std::vector<double> scores_;     // of all rows, row by row
  std::vector<double> gradient_;   // of the functions
  LimitedMemory memory_;
  double slope_ = 0;
  std::uint32_t num_iterations_ = 0;
};

}  // namespace mash
