// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/sorted_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mash {
namespace {

// Has the place among all numbers that the value has among all values.
std::uint32_t sort_key(float value) {
  if (std::isnan(value)) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.f);  // -0 + 0 is 0
  return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}

}  // namespace

SortedColumn sort_column(std::span<const float> values) {
  std::vector<std::uint64_t> keys(values.size());  // key << 32 | row
  for (std::size_t row = 0; row < keys.size(); ++row)
    keys[row] = std::uint64_t(sort_key(values[row])) << 32 | row;
  std::sort(keys.begin(), keys.end());
  SortedColumn sorted;
  for (const std::uint64_t key : keys) {
    sorted.rows.push_back(std::uint32_t(key));
    sorted.values.push_back(values[sorted.rows.back()]);
  }
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
