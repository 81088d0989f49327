// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mash {

// A symmetric matrix. Only its upper triangle is kept: element (i, j), i <= j, is values[i * size + j], and
// what is below has no meaning.
struct SymmetricMatrix {
  explicit SymmetricMatrix(std::size_t num_rows) : size(num_rows), values(num_rows * num_rows) {}

  // i, j: in any order.
  double& at(std::size_t i, std::size_t j) { return values[std::min(i, j) * size + std::max(i, j)]; }
  double at(std::size_t i, std::size_t j) const { return values[std::min(i, j) * size + std::max(i, j)]; }

  std::size_t size;
  std::vector<double> values;
};

// The inverse takes the place of the matrix: size^3 / 2 multiplications, the same bits on every machine.
// false, and the elements are lost, where the matrix is not positive definite: a pivot of its Cholesky
// decomposition is not above what rounding makes of 0, or not a number.
[[nodiscard]] bool invert(SymmetricMatrix& matrix);

}  // namespace mash
