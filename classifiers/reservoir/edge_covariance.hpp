// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "classifiers/reservoir/symmetric_matrix.hpp"

namespace mash {

// How alike examples are to stumps: element (i, j) is the mean of y_i h(x_i) y_j h(x_j) over all stumps h, of
// both signs, that cut a feature between two of its values (Lefakis & Fleuret 2013, eq. 10). With dense ranks
// r (equal values share one) and m_d + 1 values of feature d,
//   Sigma_ij = y_i y_j * sum over d of (2 m_d - 4 |r_i - r_j|) / sum over d of 2 m_d.
// So the diagonal is 1, and features of one value count for nothing; where all are such, Sigma is 0.
// codes: for each feature a row of one code per example, in the order of their values. signs: y, -1 or +1.
// O(features * examples^2), exact except for the last division. REQUIRES: whole rows, at most 2^24 of them.
SymmetricMatrix edge_covariance(std::span<const std::uint8_t> codes, std::span<const std::int8_t> signs);

// Rows of bytes.
struct ByteRows {
  static constexpr std::size_t kTile = 4;    // num_rows is a multiple of it
  static constexpr std::size_t kBlock = 64;  // and row_size of this

  const std::uint8_t* bytes = nullptr;
  std::size_t num_rows = 0, row_size = 0;
};

// sums[i * num_rows + j], i <= j: the sum over k of min(row i [k], row j [k]). What is below the diagonal has
// no meaning afterwards. The sum of |a - b| is that of a and of b less twice this one, and the sum of a the
// element (i, i).
void sums_of_minima(const ByteRows& rows, std::uint32_t* sums);

// The same in plain loops: the reference.
void sums_of_minima_reference(const ByteRows& rows, std::uint32_t* sums);

}  // namespace mash
