// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/learners/standard_rows.hpp"
#include "framework/base/state_numbers.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

struct PerceptronOptions {
  bool is_batch = false;  // all steps of a pass are taken at its end, else each at once
  bool averages = true;   // the functions are the means of those after each example, or pass of a batch
  bool shuffles = true;   // the order of the examples is drawn for each pass
  double decay = 1;       // of the length of steps from a pass to the next
  std::uint32_t num_passes = 100;  // at most
};

// Perceptrons of all classes (Rosenblatt 1958; averaged: Freund & Schapire 1999). Each class l has a function
// f_l(z) = v_l z + b_l; of two classes the second one alone has one, and that of the first is its opposite.
// An example is right where the score of its own class is larger than that of each other class. The step of a
// wrong one adds w_n (z_n, 1), times the length of steps, to the function of its own class, and takes it from
// that of its rival: the other class with the largest score, the first of equals.
// After each pass the functions are judged by their weighted error on all examples, and those with the
// smallest are kept (the pocket algorithm: Gallant 1990).
class PerceptronPasses {
 public:
  // Rows, labels and weights, one of each for every row, outlive it.
  PerceptronPasses(const StandardRows& rows, std::span<const std::uint16_t> labels, std::size_t num_classes,
                   std::span<const double> weights, const PerceptronOptions& options, std::uint64_t seed);

  // A walk over the examples that have a weight. REQUIRES: they have not ended.
  void pass(const Workers& workers);
  // The end: a pass without a wrong example, kMostWithoutGain of them without a smaller error, or the most.
  bool has_ended() const;
  std::uint32_t num_passes() const { return num_passes_; }
  std::size_t num_wrong() const { return num_wrong_; }       // examples of the last pass
  double smallest_error() const { return smallest_error_; }  // of the functions that are kept

  // A function of each class; of two classes that of the second one alone.
  struct Function {
    RowSum sum;
    double bias = 0;
  };
  using Functions = std::vector<Function>;
  const Functions& now() const { return now_; }    // after the last step
  const Functions& kept() const { return best_; }  // with the smallest error

  // Factors and intercepts of the functions that are kept. features: those of the columns.
  void write(std::span<const std::uint32_t> features, LinearFit& fit) const;

  void keep(StateWriter& writer) const;
  // REQUIRES: passes over the same rows, with the same options and seed, were kept.
  void take_back(StateReader& reader);

  static constexpr std::uint32_t kMostWithoutGain = 20;

 private:
  // The rival of an example with these scores of classes; its own class where it is right.
  std::uint16_t rival_of(std::size_t n, std::span<const double> scores) const;
  // Scores of all classes, for row n. next: a row that is needed soon.
  void scores_of(const Functions& functions, std::size_t n, std::size_t next, std::span<double> scores) const;
  // Adds a row to function f.
  void step(std::size_t f, std::size_t n, double length);
  void pass_one_by_one(double length);
  void pass_at_once(double length, const Workers& workers);
  Functions means() const;
  double error_of(const Functions& functions, const Workers& workers) const;

  const StandardRows* rows_;
  std::span<const std::uint16_t> labels_;
  std::size_t num_classes_;
  std::span<const double> weights_;
  PerceptronOptions options_;
  std::uint64_t order_key_;
  std::vector<std::uint32_t> examples_;  // of a weight above 0
  Functions now_, earlier_;              // earlier: the sum of each step times the functions before it
  Functions best_;
  double num_met_ = 0;  // functions of which there are means
  double smallest_error_ = 2;
  std::uint32_t num_passes_ = 0, num_without_gain_ = 0;
  std::size_t num_wrong_ = 0;
};

}  // namespace mash
