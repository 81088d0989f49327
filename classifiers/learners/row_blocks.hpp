// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// Examples that stand in memory at once while a learner walks over all of them.
inline constexpr std::size_t kBlockRows = 1024;

// Bytes of a block, as it is read and as doubles.
constexpr std::uint64_t bytes_of_row_blocks(std::uint64_t num_columns) {
  return kBlockRows * num_columns * (sizeof(float) + sizeof(double));
}

// Calls use(first, numbers) for one block of rows after the other, in their order: numbers holds the rows
// from `first` on, matrix.num_columns() each, read by all threads. Progress advances by each block's rows.
// Errors: kStopped.
template <class Use>
Status for_row_blocks(const FeatureMatrix& matrix, const WorkContext& work, const Use& use) {
  constexpr std::size_t kRowsAtOnce = 64;  // of one thread
  const std::size_t width = matrix.num_columns();
  std::vector<float> numbers;
  for (std::size_t first = 0; first < matrix.num_rows(); first += kBlockRows) {
    if (work.stop.raised()) return stopped_by_user();
    const std::size_t count = std::min(kBlockRows, matrix.num_rows() - first);
    numbers.resize(count * width);
    work.workers.for_ranges(count, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
      matrix.read(first + begin, end - begin, numbers.data() + begin * width);
    });
    use(first, std::span<const float>(numbers));
    work.progress.advance(count);
  }
  return Done{};
}

}  // namespace mash
