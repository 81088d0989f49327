// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// Bytes of a number in memory.
constexpr std::size_t bytes_of_number(FeatureNumber number) {
  return number == FeatureNumber::kCode ? sizeof(std::uint8_t) : sizeof(float);
}

// Whether all rows of the matrix fit into the memory that is free. Errors (kInput): they do not.
Status check_rows_fit(const FeatureMatrix& matrix);

}  // namespace mash
