// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/learners/iteration_limits.hpp"
#include "classifiers/learners/standard_rows.hpp"
#include "framework/base/state_numbers.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Ridge regression by conjugate gradients (Hestenes & Stiefel 1952), for all classes at once. It minimises,
// for each class l, over v_l and b_l,
//   lambda |v_l|^2 + the sum over n of w_n (y_nl - b_l - v_l z_n)^2,
// where y_nl is 1 for examples of the class and -1 for others. The products of features are never stored: an
// iteration walks twice over the rows. The tolerance is that of the slope, as a share of the slope at
// v_l = 0; that of each class counts.
class ConjugateRidge {
 public:
  // Rows and labels outlive it. labels: of each row.
  ConjugateRidge(const StandardRows& rows, std::span<const std::uint16_t> labels, std::size_t num_classes);

  // Begins a search where the last one ended. weights: w_n, one for each row, which outlive the search.
  void begin(double lambda, std::span<const double> weights, const IterationLimits& limits,
             const Workers& workers);
  // REQUIRES: a search has begun and has not ended.
  void iterate(const Workers& workers);
  bool has_ended() const { return has_converged() || num_iterations_ == limits_.num_iterations; }
  bool has_converged() const;
  std::uint32_t num_iterations() const { return num_iterations_; }
  // The largest slope of a class, as the tolerance has it.
  double slope() const;

  // The classes of these rows.
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const;
  std::string note() const;
  // Factors and intercepts of all classes, as LinearFit has them, of the columns that vary. features: those
  // of the columns.
  void write(std::span<const std::uint32_t> features, const Workers& workers, LinearFit& fit) const;

  void keep(StateWriter& writer) const;
  // REQUIRES: `begin` was called as for the one that was kept, with the same rows.
  void take_back(StateReader& reader);

 private:
  bool has_converged(std::size_t f) const;
  // The means over the rows, by their weights. numbers: of each row, one for each function.
  std::vector<double> weighted_means(std::span<const double> numbers) const;
  // Takes these means off, and gives each number the weight of its row.
  void centre_and_weigh(std::span<double> numbers) const;
  // Numbers of function f among those of all.
  std::span<double> of(std::vector<double>& vectors, std::size_t f) const;

  const StandardRows* rows_;
  std::span<const std::uint16_t> labels_;
  std::size_t num_classes_, num_functions_;  // of two classes that of the second one alone
  double lambda_ = 1;
  std::span<const double> weights_;
  double total_weight_ = 0;
  IterationLimits limits_;
  std::vector<double> target_means_;             // weighted, of each function
  std::vector<double> functions_;                // all v_l, one after the other
  std::vector<double> residuals_, directions_;   // likewise
  std::vector<double> squares_, first_squares_;  // of the residuals now, and at v_l = 0
  std::uint32_t num_iterations_ = 0;
};

}  // namespace mash
