// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace mash {

// Values in increasing order; equal values keep the order in which they came. NaN is below every value, and
// zeros of both signs are equal.
struct SortedColumn {
  std::vector<float> values;
  std::vector<std::uint32_t> rows;  // where each was before
};

SortedColumn sort_column(std::span<const float> values);

// The sorted values of features on all training examples. A column is sorted when it is first asked for. It
// is kept where all kept columns together fit into max_bytes. Several threads may ask at once.
class SortedColumns {
 public:
  explicit SortedColumns(std::size_t max_bytes) : bytes_left_(max_bytes) {}

  // read: called for the feature's values where they are not kept.
  std::shared_ptr<const SortedColumn> column(std::uint32_t feature,
                                             const std::function<std::vector<float>()>& read);

 private:
  std::mutex mutex_;
  std::size_t bytes_left_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const SortedColumn>> kept_;
};

}  // namespace mash
