// SPDX-License-Identifier: Apache-2.0
#include "framework/families/rows_family.hpp"

#include <stdexcept>

namespace mash {

FeatureColumn RowsFamily::column(Side side, std::uint32_t feature_idx) const {
  if (side == Side::kTest) return family_->column(side, feature_idx);
  if (codes_) return {kept(feature_idx), codes_};
  auto codes = std::make_shared<std::vector<std::uint8_t>>(rows_->size());
  family_->gather({&feature_idx, 1}, *rows_, codes->data(), codes->size());
  return {*codes, codes};
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
  std::vector<std::uint32_t> of_all;
  for (const std::uint32_t row : rows) of_all.push_back((*rows_)[row]);
  family_->gather(feature_indices, of_all, out, stride);
}

void RowsFamily::values(Side, std::uint32_t, std::span<float>) const {
  throw std::logic_error("RowsFamily::values: values are there for all examples of a side only");
}

}  // namespace mash
