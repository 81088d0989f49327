// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/learners/row_products.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// Bytes of a number in memory.
constexpr std::size_t bytes_of_number(FeatureNumber number) {
  return number == FeatureNumber::kCode ? sizeof(std::uint8_t) : sizeof(float);
}

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
  NumberRow row(std::size_t n) const {
    if (codes_.empty()) return {nullptr, values_.data() + n * num_columns()};
    return {codes_.data() + n * num_columns()};
  }

  std::span<const double> means() const { return means_; }
  std::span<const double> scales() const { return scales_; }  // 0: constant
  bool is_constant(std::size_t column) const { return scales_[column] == 0; }

  // Linear functions of z are kept as factors of x - mean: f(z) = sum of v_i z_i has the factors v_i /
  // scale_i, which `product` takes.
  double product(std::size_t n, std::span<const double> factors) const {
    return centred_product(row(n), means_, factors.data());
  }
  // Adds step * z_n to the v of such a function.
  void add(std::size_t n, double step, std::span<double> factors) const {
    add_centred(row(n), means_, inverse_squares_.data(), step, factors.data());
  }
  // The sum of z_ni^2.
  double square(std::size_t n) const { return centred_square(row(n), means_, inverse_squares_.data()); }
  // The same of each row.
  std::vector<double> squares(const Workers& workers) const;

 private:
  void standardise(std::span<const double> weights, const WorkContext& work);

  std::size_t num_rows_ = 0;
  std::vector<std::uint8_t> codes_;
  std::vector<float> values_;
  std::vector<double> means_, scales_, inverse_squares_;  // 1 / scale^2, 0 of constant columns
};

}  // namespace mash
