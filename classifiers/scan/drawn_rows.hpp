// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "classifiers/scan/kernels/histogram.hpp"
#include "classifiers/scan/kernels/rounding.hpp"

namespace mash {

// Some examples with a count for each, such as how often it was drawn. Where `rows` is empty, these are all
// examples, each counted once.
struct ExampleDraw {
  std::vector<std::uint32_t> rows;  // increasing, distinct
  std::vector<double> counts;       // of each row, > 0
  double num_draws = 0;             // the sum of the counts
};

// Signed weights of some rows, in the form that the scan mode needs.
struct WeighedRows {
  // Number of examples whose weights one thread rounds at a time.
  static constexpr std::size_t kRowsPerTask = 2048;

  std::size_t num_rows = 0;

  // Rounded, where the scan adds integers.
  AlignedVector<std::int16_t> i16;
  AlignedVector<std::int8_t> i8;
  std::vector<std::int32_t> totals;  // per lane
  std::vector<RowBlock> blocks;      // as WeightRows wants them
  std::int32_t magnitude = 0;        // likewise
  double scale = 1;                  // integer / scale = weight, once finished
  // The rows that one thread rounds, and the sums that it finds meanwhile.
  struct Task {
    LaneSums sums{0};
    std::vector<RowBlock> blocks;
  };
  std::vector<Task> tasks;  // of kRowsPerTask rows each, the last of fewer

  // Not rounded, where it adds doubles.
  std::span<const double> exact;  // num_rows x K, in f64 or the booster's own
  std::vector<double> f64;

  // The rounded rows of that many classes, as the kernels want them: views of these rows.
  template <class Integer>
  WeightRows<Integer> of_integers(std::size_t num_classes) const {
    const Integer* integers = nullptr;
    if constexpr (std::is_same_v<Integer, std::int16_t>)
      integers = i16.data();
    else
      integers = i8.data();
    return {integers, num_rows, Strips(num_classes), totals.data(), blocks, magnitude};
  }
};

// Drawn examples with their weights.
struct DrawnRows {
  ExampleDraw draw;
  WeighedRows weights;          // of the draw's examples; unspecified where these are all
  std::uint64_t draw_call = 0;  // which call of StumpScan::draw made them
};

}  // namespace mash
