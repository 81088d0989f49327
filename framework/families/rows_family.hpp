// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// A family on some of its training examples, as if there were no others.
class RowsFamily final : public FamilyData {
 public:
  using Rows = std::shared_ptr<const std::vector<std::uint32_t>>;
  using Codes = std::shared_ptr<const std::vector<std::uint8_t>>;

  // rows: numbers of training examples, increasing. codes: the codes of these examples, a column for each
  // feature; this family's begin at `first_code`. Null: codes are read when they are asked for, and not kept.
  RowsFamily(std::shared_ptr<const FamilyData> family, Rows rows, Codes codes, std::size_t first_code)
      : family_(std::move(family)),
        rows_(std::move(rows)),
        codes_(std::move(codes)),
        first_code_(first_code) {}

  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const override;
  void compute_together(Side side, std::span<const std::uint32_t> feature_indices) const override {
    if (side == Side::kTest) family_->compute_together(side, feature_indices);
  }
  std::uint32_t num_cuts(std::uint32_t feature_idx) const override { return family_->num_cuts(feature_idx); }
  float threshold(std::uint32_t feature_idx, std::uint32_t cut) const override {
    return family_->threshold(feature_idx, cut);
  }
  // Not known where only some of the examples are here.
  std::pair<std::uint32_t, double> mode(std::uint32_t) const override { return {0, 0}; }
  void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              std::uint8_t* out, std::size_t stride) const override;
  void values(Side side, std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const override;
  std::uint32_t count_distinct(std::unordered_set<std::uint64_t>&) const override { return 0; }

 private:
  // The numbers of these rows among all examples of the whole family.
  std::vector<std::uint32_t> of_all(std::span<const std::uint32_t> rows) const;
  std::span<const std::uint8_t> kept(std::uint32_t feature_idx) const {
    return std::span(*codes_).subspan(first_code_ + feature_idx * rows_->size(), rows_->size());
  }

  std::shared_ptr<const FamilyData> family_;
  Rows rows_;
  Codes codes_;
  std::size_t first_code_;
};

}  // namespace mash
