// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_matrix.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// Columns that are asked for together: their codes come in one block where they are neighbours.
constexpr std::size_t kColumnsAtOnce = 64;

// Columns of codes, neighbours of one family in one block.
std::vector<FeatureColumn> read_codes(const FeatureSet& features, Side side,
                                      std::span<const std::uint32_t> columns) {
  std::vector<FeatureColumn> codes;
  codes.reserve(columns.size());
  while (codes.size() < columns.size()) {
    const std::uint32_t first = columns[codes.size()];
    const std::size_t most = std::min(kColumnsAtOnce, columns.size() - codes.size());
    std::uint32_t count = 1;
    while (count < most && columns[codes.size() + count] == first + count &&
           features.family_of(first + count) == features.family_of(first))
      ++count;
    const ColumnBlock block = features.columns(side, first, count);
    for (std::uint32_t i = 0; i < count; ++i) codes.push_back(block.column(i));
  }
  return codes;
}

}  // namespace

FeatureMatrix::FeatureMatrix(const FeatureSet& features, Side side, std::vector<std::uint32_t> columns,
                             FeatureNumber number)
    : features_(features),
      side_(side),
      columns_(std::move(columns)),
      number_(number),
      num_rows_(side == Side::kTrain ? features.num_train() : features.num_test()) {
  if (number == FeatureNumber::kCode) codes_ = read_codes(features, side, columns_);
}

void FeatureMatrix::read(std::size_t first, std::size_t count, float* out) const {
  require(first + count <= num_rows_, "FeatureMatrix::read: rows of the matrix");
  const std::size_t width = columns_.size();
  for (std::size_t i = 0; i < codes_.size(); ++i)
    for (std::size_t r = 0; r < count; ++r) out[r * width + i] = codes_[i].codes[first + r];
  if (!codes_.empty() || width == 0) return;
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::uint32_t(first));
  std::vector<float> by_column(width * count);
  features_.values(side_, columns_, rows, by_column.data(), count);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t r = 0; r < count; ++r) out[r * width + i] = by_column[i * count + r];
}

}  // namespace mash
