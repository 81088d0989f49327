// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Rows of weights to be rounded, each multiplied by a factor of its own.
struct RowsToRound {
  std::span<const double> weights;  // num_classes to a row
  std::size_t num_classes = 0;
  std::span<const std::uint32_t> rows;  // which ones
  std::span<const double> factors;      // as many
  std::size_t num_strip_rows = 0;       // of the strips that they go to
};

// Sums of rounded rows by lane.
struct LaneSums {
  std::vector<std::int32_t> totals;
  std::vector<std::int32_t> magnitudes;  // of the absolute values

  explicit LaneSums(std::size_t num_all_lanes) : totals(num_all_lanes), magnitudes(num_all_lanes) {}
  // Adds those of other rows.
  void add(const LaneSums& others);
  // Back to the sums of no row.
  void clear();
};

// integers: points to the place of the first strip's part of the first row; all other parts lie as Strips
// says. Lanes beyond the classes become 0. The functions also add the rows to `sums`. REQUIRES: |weight *
// factor| <= the largest integer.

// Rounds to the nearest whole numbers, ties to even.
void round_rows(const RowsToRound& rows, std::int16_t* integers, LaneSums& sums);

// Rounds up or down at random, so that the mean is kept. noise: num_classes numbers in [0, 1) for each row.
void round_rows(const RowsToRound& rows, std::span<const double> noise, std::int8_t* integers,
                LaneSums& sums);

// The same in plain loops: the references.
void round_rows_reference(const RowsToRound& rows, std::int16_t* integers, LaneSums& sums);
void round_rows_reference(const RowsToRound& rows, std::span<const double> noise, std::int8_t* integers,
                          LaneSums& sums);

}  // namespace mash
