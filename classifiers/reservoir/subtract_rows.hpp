// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mash {

// Rows of doubles, each with a factor: row k begins at first + k * stride, its factor is factors[k *
// factor_stride].
struct FactorRows {
  const double* first = nullptr;
  std::size_t count = 0, stride = 0;
  const double* factors = nullptr;
  std::size_t factor_stride = 1;
};

// numbers[i] -= factor_k * row_k[i] for k = 0, 1, ... in turn, i < size: the same bits on every instruction
// set. The numbers overlap no row.
void subtract_rows(const FactorRows& rows, double* numbers, std::size_t size);

// The same in plain loops: the reference.
void subtract_rows_reference(const FactorRows& rows, double* numbers, std::size_t size);

}  // namespace mash
