// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mash {

// Rows in memory: row i begins `stride` numbers after row i - 1.
template <class T>
struct StridedRows {
  T* first = nullptr;
  std::size_t stride = 0;

  T* row(std::size_t i) const { return first + i * stride; }
};

// Number j of row i of `in` becomes number i of row j of `out`, which has num_columns rows. REQUIRES: the two
// do not overlap.
void transpose(StridedRows<const std::uint8_t> in, std::size_t num_rows, std::size_t num_columns,
               StridedRows<std::uint8_t> out);
void transpose(StridedRows<const float> in, std::size_t num_rows, std::size_t num_columns,
               StridedRows<float> out);

}  // namespace mash
