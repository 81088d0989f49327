// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/sorted_columns.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/ordered_bits.hpp"

namespace mash {

SortedColumn sort_column(std::span<const float> values) {
  std::vector<std::uint64_t> keys(values.size());  // of the value, then its row
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const std::uint32_t bits = std::isnan(values[row]) ? 0 : ordered_bits(values[row] + 0.f);  // -0 + 0 is 0
    keys[row] = std::uint64_t(bits) << 32 | row;
  }
  std::sort(keys.begin(), keys.end());
  SortedColumn sorted{std::vector<float>(keys.size()), {keys.begin(), keys.end()}};  // rows: the lower halves
  for (std::size_t i = 0; i < keys.size(); ++i) sorted.values[i] = values[sorted.rows[i]];
  return sorted;
}

std::shared_ptr<const SortedColumn> SortedColumns::column(std::uint32_t feature,
                                                          const std::function<std::vector<float>()>& read) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(feature); found != kept_.end()) return found->second;
  }
  auto column = std::make_shared<const SortedColumn>(sort_column(read()));
  const std::size_t bytes = column->rows.size() * (sizeof(float) + sizeof(std::uint32_t));
  const std::lock_guard lock(mutex_);
  if (bytes <= bytes_left_ && kept_.emplace(feature, column).second) bytes_left_ -= bytes;
  return column;
}

}  // namespace mash
