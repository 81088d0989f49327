// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// The kind of number that a matrix holds for each feature and example.
enum class FeatureNumber {
  kValue,  // as the heuristic gave it, not always finite
  kCode,   // 0 ... 255, always there
};

// Chosen features of one side as floats, read in blocks of rows. It is for learners that look at all features
// of an example together. Thread-safe.
class FeatureMatrix {
 public:
  // features: outlives the matrix. columns: numbers of its features, increasing. Codes that are not in the
  // store are computed here and kept. REQUIRES: for kValue, `features` was opened with keep_values.
  FeatureMatrix(const FeatureSet& features, Side side, std::vector<std::uint32_t> columns,
                FeatureNumber number);

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return columns_.size(); }
  FeatureNumber number() const { return number_; }

  // out[r * num_columns() + i] = the number in column i of row first + r. REQUIRES: there are these rows.
  void read(std::size_t first, std::size_t count, float* out) const;

 private:
  const FeatureSet& features_;
  Side side_;
  std::vector<std::uint32_t> columns_;
  FeatureNumber number_;
  std::size_t num_rows_;
  std::vector<FeatureColumn> codes_;  // of each column, where it holds codes
};

}  // namespace mash
