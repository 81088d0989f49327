// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mash {

// The numbers of one example: codes or values.
struct NumberRow {
  const std::uint8_t* codes = nullptr;
  const float* values = nullptr;  // where there are no codes

  // Its numbers from column i on.
  NumberRow from(std::size_t i) const {
    return codes != nullptr ? NumberRow{codes + i} : NumberRow{nullptr, values + i};
  }
};

// Functions of a row and numbers of its columns. Sums are taken in lanes that are the same on all machines.

// The sum over i of row_i * factors_i. next: a row that is needed soon, which is asked for meanwhile; rows
// that are far apart in memory come two to three times as fast.
double product(const NumberRow& row, std::span<const double> factors, const NumberRow& next);
// The sum over i of (row_i - offsets_i)^2 * factors_i, of as many as there are offsets.
double centred_square(const NumberRow& row, std::span<const double> offsets, const double* factors);
// sums_i += step * (row_i * factors_i).
void add_scaled(const NumberRow& row, std::span<const double> factors, double step, double* sums);
// The same, then the product of another row and these sums: to the bit what the two give one after the other,
// in one walk over the sums. All rows are of one kind.
double add_then_multiply(const NumberRow& row, std::span<const double> factors, double step, double* sums,
                         const NumberRow& other, const NumberRow& next);
// sums_i += (steps_0 row0_i + steps_1 row1_i) + (steps_2 row2_i + steps_3 row3_i), for i < size. The rows are
// of one kind.
using FourRows = std::array<NumberRow, 4>;
void add_four(const FourRows& rows, const std::array<double, 4>& steps, std::size_t size, double* sums);

}  // namespace mash
