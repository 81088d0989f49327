// SPDX-License-Identifier: Apache-2.0
#include "framework/base/transpose.hpp"

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "framework/base/transpose.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void transpose_some(StridedRows<const T> in, std::size_t num_rows, std::size_t num_columns,
                    StridedRows<T> out) {
  for (std::size_t i = 0; i < num_rows; ++i)
    for (std::size_t j = 0; j < num_columns; ++j) out.row(j)[i] = in.row(i)[j];
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
constexpr std::size_t kSide = 1;

template <class T>
HWY_INLINE void transpose_square(StridedRows<const T> in, StridedRows<T> out) {
  transpose_some(in, 1, 1, out);
}
#else
template <class T>
constexpr std::size_t kSide = 16 / sizeof(T);  // of a square whose rows are vectors

// Each step interleaves the first half of the vectors with the second. After as many as a row's number has
// bits, the bits of rows and columns have changed places.
template <class T>
HWY_INLINE void transpose_square(StridedRows<const T> in, StridedRows<T> out) {
  constexpr std::size_t kRows = kSide<T>;
  const hn::FixedTag<T, kRows> d;
  hn::Vec<decltype(d)> rows[kRows], next[kRows];
  for (std::size_t i = 0; i < kRows; ++i) rows[i] = hn::LoadU(d, in.row(i));
  for (std::size_t step = 1; step < kRows; step *= 2) {
    for (std::size_t i = 0; i < kRows / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kRows / 2]);
      next[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kRows / 2]);
    }
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = next[i];
  }
  for (std::size_t j = 0; j < kRows; ++j) hn::StoreU(rows[j], d, out.row(j));
}
#endif

template <class T>
HWY_INLINE void transpose_all(StridedRows<const T> in, std::size_t num_rows, std::size_t num_columns,
                              StridedRows<T> out) {
  constexpr std::size_t kSquare = kSide<T>;
  const std::size_t whole_rows = num_rows - num_rows % kSquare;
  std::size_t j = 0;
  for (; j + kSquare <= num_columns; j += kSquare) {  // all that a row of `out` gets, before the next ones
    for (std::size_t i = 0; i < whole_rows; i += kSquare)
      transpose_square<T>({in.row(i) + j, in.stride}, {out.row(j) + i, out.stride});
    transpose_some<T>({in.row(whole_rows) + j, in.stride}, num_rows - whole_rows, kSquare,
                      {out.row(j) + whole_rows, out.stride});
  }
  transpose_some<T>({in.first + j, in.stride}, num_rows, num_columns - j, {out.row(j), out.stride});
}

void transpose_bytes(StridedRows<const std::uint8_t> in, std::size_t num_rows, std::size_t num_columns,
                     StridedRows<std::uint8_t> out) {
  transpose_all(in, num_rows, num_columns, out);
}
void transpose_floats(StridedRows<const float> in, std::size_t num_rows, std::size_t num_columns,
                      StridedRows<float> out) {
  transpose_all(in, num_rows, num_columns, out);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(transpose_bytes);
HWY_EXPORT(transpose_floats);

}  // namespace

void transpose(StridedRows<const std::uint8_t> in, std::size_t num_rows, std::size_t num_columns,
               StridedRows<std::uint8_t> out) {
  if (uses_plain_loops()) return HWY_NAMESPACE::transpose_some(in, num_rows, num_columns, out);
  HWY_DYNAMIC_DISPATCH(transpose_bytes)(in, num_rows, num_columns, out);
}

void transpose(StridedRows<const float> in, std::size_t num_rows, std::size_t num_columns,
               StridedRows<float> out) {
  if (uses_plain_loops()) return HWY_NAMESPACE::transpose_some(in, num_rows, num_columns, out);
  HWY_DYNAMIC_DISPATCH(transpose_floats)(in, num_rows, num_columns, out);
}

}  // namespace mash
#endif
