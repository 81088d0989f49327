// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/rows_memory.hpp"

#include <fmt/format.h>

#include "framework/base/amounts.hpp"
#include "framework/base/machine.hpp"

namespace mash {

Status check_rows_fit(const FeatureMatrix& matrix) {
  const std::uint64_t needed =
      std::uint64_t(matrix.num_rows()) * matrix.num_columns() * bytes_of_number(matrix.number());
  const std::uint64_t free = available_memory_bytes();
  if (free == 0 || needed < free / 10 * 9) return Done{};
  return Error(
      ErrorKind::kInput,
      fmt::format("{} features of {} examples take {} of memory, and {} are free; give `features: N` "
                  "to draw fewer",
                  matrix.num_columns(), matrix.num_rows(), bytes_in_words(needed), bytes_in_words(free)));
}

}  // namespace mash
