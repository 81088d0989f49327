// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/table_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/boosters/loop/table_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kWidth sums, kept in registers while rows are added: the largest power of two of them, and the rest.
template <std::size_t kWidth>
class RowSums {
 public:
  HWY_INLINE explicit RowSums(const double* sums) : rest_(sums + kFirst) {
    for (std::size_t v = 0; v < kVectors; ++v) first_[v] = hn::LoadU(Tag(), sums + v * kLanes);
  }
  HWY_INLINE void add(const double* row) {
    for (std::size_t v = 0; v < kVectors; ++v)
      first_[v] = hn::Add(first_[v], hn::LoadU(Tag(), row + v * kLanes));
    rest_.add(row + kFirst);
  }
  HWY_INLINE void store(double* sums) const {
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(first_[v], Tag(), sums + v * kLanes);
    rest_.store(sums + kFirst);
  }

 private:
  static constexpr std::size_t kFirst = std::bit_floor(kWidth);
  using Tag = hn::CappedTag<double, kFirst>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag()), kVectors = kFirst / kLanes;

  hn::Vec<Tag> first_[kVectors];
  RowSums<kWidth - kFirst> rest_;
};
template <>
class RowSums<0> {
 public:
  HWY_INLINE explicit RowSums(const double*) {}
  HWY_INLINE void add(const double*) {}
  HWY_INLINE void store(double*) const {}
};

struct Examples {
  std::size_t begin, end;
};

// Adds kWidth numbers of each row, those from `first` on.
template <std::size_t kWidth>
void add_part(std::span<const TableRows> tables, Examples examples, std::size_t row_size, std::size_t first,
              double* HWY_RESTRICT sums) {
  for (std::size_t n = examples.begin; n < examples.end; ++n) {
    RowSums<kWidth> row_sums(&sums[n * row_size + first]);
    for (const TableRows& table : tables) row_sums.add(&table.rows[table.cells[n] * row_size + first]);
    row_sums.store(&sums[n * row_size + first]);
  }
}

// Copies kWidth numbers of each row, those from `first` on.
template <std::size_t kWidth>
void copy_part(const TableRows& table, Examples examples, std::size_t row_size, std::size_t first,
               double* HWY_RESTRICT out) {
  for (std::size_t n = examples.begin; n < examples.end; ++n)
    RowSums<kWidth>(&table.rows[table.cells[n] * row_size + first]).store(&out[n * row_size + first]);
}

template <std::size_t... kIndex>
constexpr auto parts_up_to(std::index_sequence<kIndex...>) {
  return std::array{&add_part<kIndex + 1>...};
}
template <std::size_t... kIndex>
constexpr auto copies_up_to(std::index_sequence<kIndex...>) {
  return std::array{&copy_part<kIndex + 1>...};
}

constexpr std::size_t kMost = 16;  // numbers at a time

void add_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
              double* HWY_RESTRICT sums) {
  constexpr auto kParts = parts_up_to(std::make_index_sequence<kMost>());
  constexpr std::size_t kBlock = 64;  // examples whose long rows stay in cache from part to part
  for (std::size_t begin = 0; begin < num_examples; begin += kBlock)
    for (std::size_t first = 0; first < row_size; first += kMost)
      kParts[std::min(kMost, row_size - first) - 1](tables, {begin, std::min(begin + kBlock, num_examples)},
                                                    row_size, first, sums);
}

void copy_rows(const TableRows& table, std::size_t num_examples, std::size_t row_size,
               double* HWY_RESTRICT out) {
  constexpr auto kCopies = copies_up_to(std::make_index_sequence<kMost>());
  for (std::size_t first = 0; first < row_size; first += kMost)
    kCopies[std::min(kMost, row_size - first) - 1](table, {0, num_examples}, row_size, first, out);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_rows);
HWY_EXPORT(copy_rows);

void add_rows_in_plain_loops(std::span<const TableRows> tables, std::size_t num_examples,
                             std::size_t row_size, double* sums) {
  for (std::size_t n = 0; n < num_examples; ++n)
    for (const TableRows& table : tables)
      for (std::size_t l = 0; l < row_size; ++l)
        sums[n * row_size + l] += table.rows[table.cells[n] * row_size + l];
}

}  // namespace

void add_table_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
                    double* sums) {
  if (uses_plain_loops()) return add_rows_in_plain_loops(tables, num_examples, row_size, sums);
  HWY_DYNAMIC_DISPATCH(add_rows)(tables, num_examples, row_size, sums);
}

void copy_table_rows(const TableRows& table, std::size_t num_examples, std::size_t row_size, double* out) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(copy_rows)(table, num_examples, row_size, out);
  for (std::size_t n = 0; n < num_examples; ++n)
    std::copy_n(&table.rows[table.cells[n] * row_size], row_size, &out[n * row_size]);
}

}  // namespace mash
#endif
