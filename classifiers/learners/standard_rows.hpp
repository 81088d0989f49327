// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/learners/row_products.hpp"
#include "classifiers/learners/rows_memory.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// A sum of rows, each times a step: v = the sum over n of step_n z_n. It is kept as what takes least time to
// add to, where the means of codes are not taken off: StandardRows knows the rest.
struct RowSum {
  std::vector<double> numbers;  // of each column i: the sum of step_n (x_ni - mean_i + offset_i) / scale_i^2
  double steps = 0;             // the sum of step_n
  double offset = 0;            // the sum over i of numbers_i offset_i
};

// Chosen features of all training examples, in memory, row by row: a byte for each code, four for each value.
// Learners that look at an example at a time see them standardised: z_ni = (x_ni - mean_i) / scale_i, with
// weighted mean 0 and variance 1, and 0 where x_ni is missing. A column that is constant has z_ni = 0.
class StandardRows {
 public:
  // weights: one for each row; none below 0, and their sum above 0. Errors: kStopped; the rows do not fit
  // into the memory that is free (kInput).
  static Result<StandardRows> read(const FeatureMatrix& matrix, std::span<const double> weights,
                                   const WorkContext& work);

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return means_.size(); }

  std::span<const double> means() const { return means_; }
  std::span<const double> scales() const { return scales_; }  // 0: constant
  bool is_constant(std::size_t column) const { return scales_[column] == 0; }

  RowSum empty_sum() const { return {std::vector<double>(num_columns())}; }
  // Adds step * z_n.
  void add(std::size_t n, double step, RowSum& sum) const {
    add_scaled(row(n), inverse_squares_, step, sum.numbers.data());
    count(n, step, sum);
  }
  // The product of z_n and the sum, v. next: a row that is needed soon.
  double product(std::size_t n, const RowSum& sum, std::size_t next) const {
    return centred(n, sum, mash::product(row(n), sum.numbers, row(next)));
  }
  // Both, in one walk: adds step * z_n, and returns the product of z_other and the sum.
  double add_then_multiply(std::size_t n, double step, RowSum& sum, std::size_t other,
                           std::size_t next) const {
    const double product =
        mash::add_then_multiply(row(n), inverse_squares_, step, sum.numbers.data(), row(other), row(next));
    count(n, step, sum);
    return centred(other, sum, product);
  }
  // v_i / scale_i, the factor of x_i - mean_i in the linear function v z.
  double factor(std::size_t column, const RowSum& sum) const {
    return sum.numbers[column] - sum.steps * offsets_[column] * inverse_squares_[column];
  }
  // v_k z_n of each row n and each of `count` vectors v_k, which stand one after the other: rows x count.
  std::vector<double> products(std::span<const double> vectors, std::size_t count,
                               const Workers& workers) const;
  // The sum over n of steps_nk z_n for each k < count, one after the other. steps: rows x count.
  std::vector<double> weighted_sums(std::span<const double> steps, std::size_t count,
                                    const Workers& workers) const;
  // The sum of z_ni^2.
  double square(std::size_t n) const { return centred_square(row(n), offsets_, inverse_squares_.data()); }
  // The same of each row.
  std::vector<double> squares(const Workers& workers) const;

 private:
  NumberRow row(std::size_t n) const {
    if (codes_.empty()) return {nullptr, values_.data() + n * num_columns()};
    return {codes_.data() + n * num_columns()};
  }
  void count(std::size_t n, double step, RowSum& sum) const {
    sum.steps += step;
    sum.offset += step * (offset_products_[n] + offset_square_);
  }
  double centred(std::size_t n, const RowSum& sum, double product) const {
    return product - sum.offset - sum.steps * offset_products_[n];
  }
  void standardise(std::span<const double> weights, const WorkContext& work);
  void multiply_offsets(const Workers& workers);

  std::size_t num_rows_ = 0;
  std::vector<std::uint8_t> codes_;
  std::vector<float> values_;                             // less their mean, 0 where they are missing
  std::vector<double> means_, scales_, inverse_squares_;  // 1 / scale^2, 0 of constant columns
  std::vector<double> offsets_;          // what the rows still hold of the means: all of codes, 0 of values
  std::vector<double> offset_products_;  // of each row: the sum of offset_i (x_ni - offset_i) / scale_i^2
  double offset_square_ = 0;             // the sum of offset_i^2 / scale_i^2
};

}  // namespace mash
