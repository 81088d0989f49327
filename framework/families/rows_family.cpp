// SPDX-License-Identifier: Apache-2.0
#include "framework/families/rows_family.hpp"

#include <numeric>

namespace mash {

std::vector<std::uint32_t> RowsFamily::of_all(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(rows.size());
  for (const std::uint32_t row : rows) numbers.push_back((*rows_)[row]);
  return numbers;
}

ColumnBlock RowsFamily::columns(Side side, std::uint32_t first, std::uint32_t count) const {
  if (side == Side::kTest) return family_->columns(side, first, count);
  const std::size_t size = rows_->size();
  if (codes_) return {kept(first).data(), size, size, codes_};
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  const auto codes = std::make_shared<std::vector<std::uint8_t>>(count * size);
  family_->gather(indices, *rows_, codes->data(), size);
  return {codes->data(), size, size, codes};
}

void RowsFamily::gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                        std::uint8_t* out, std::size_t stride) const {
  if (codes_) {
    for (std::size_t i = 0; i < feature_indices.size(); ++i) {
      const auto column = kept(feature_indices[i]);
      for (std::size_t r = 0; r < rows.size(); ++r) out[i * stride + r] = column[rows[r]];
    }
    return;
  }
  family_->gather(feature_indices, of_all(rows), out, stride);
}

void RowsFamily::values(Side side, std::span<const std::uint32_t> feature_indices,
                        std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  if (side == Side::kTest) return family_->values(side, feature_indices, rows, out, stride);
  family_->values(side, feature_indices, of_all(rows), out, stride);
}

}  // namespace mash
