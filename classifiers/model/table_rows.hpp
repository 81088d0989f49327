// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace mash {

// Row n of `sums` (row_size numbers) += row cells[n] of `table`.
void add_table_rows(std::span<const std::uint8_t> cells, std::span<const double> table, std::size_t row_size,
                    double* sums);

}  // namespace mash
