// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/symmetric_matrix.hpp"

#include <cmath>
#include <limits>

#include "classifiers/reservoir/subtract_rows.hpp"

namespace mash {
namespace {

// A part of a matrix whose columns lie one behind the other.
struct Block {
  double* elements = nullptr;
  std::size_t num_rows = 0, num_columns = 0, stride = 0;

  double* column(std::size_t j) const { return elements + j * stride; }
  double& at(std::size_t i, std::size_t j) const { return elements[j * stride + i]; }
  Block part(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) const {
    return {elements + column * stride + row, rows, columns, stride};
  }
  // Columns [first, first + count) from row `row` on, to be multiplied by these factors.
  FactorRows columns(std::size_t first, std::size_t count, std::size_t row, const double* factors,
                     std::size_t factor_stride) const {
    return {column(first) + row, count, stride, factors, factor_stride};
  }
};

// A block with elements of its own, all 0.
class OwnBlock {
 public:
  OwnBlock(std::size_t num_rows, std::size_t num_columns)
      : elements_(num_rows * num_columns), block_{elements_.data(), num_rows, num_columns, num_rows} {}
  const Block& operator*() const { return block_; }
  const Block* operator->() const { return &block_; }

 private:
  std::vector<double> elements_;
  Block block_;
};

OwnBlock negative_transpose(const Block& block) {
  OwnBlock result(block.num_columns, block.num_rows);
  for (std::size_t j = 0; j < block.num_columns; ++j)
    for (std::size_t i = 0; i < block.num_rows; ++i) result->at(j, i) = -block.at(i, j);
  return result;
}

// The blocks of a lower triangular or symmetric matrix [A .; B C].
struct Quarters {
  explicit Quarters(const Block& m)
      : half(m.num_rows / 2),
        rest(m.num_rows - half),
        a(m.part(0, 0, half, half)),
        b(m.part(half, 0, rest, half)),
        c(m.part(half, half, rest, rest)) {}
  std::size_t half, rest;
  Block a, b, c;
};

// Up to this many rows are done without blocks.
constexpr std::size_t kSmall = 16;

// See invert_factor.
bool invert_small_factor(const Block& m, double least_pivot) {
  const std::size_t size = m.num_rows;
  for (std::size_t j = 0; j < size; ++j) {
    if (!(m.at(j, j) > least_pivot)) return false;
    const double root = std::sqrt(m.at(j, j));
    for (std::size_t i = j; i < size; ++i) m.at(i, j) /= root;
    for (std::size_t k = j + 1; k < size; ++k)
      for (std::size_t i = k; i < size; ++i) m.at(i, k) -= m.at(i, j) * m.at(k, j);
  }
  for (std::size_t j = 0; j < size; ++j) {
    m.at(j, j) = 1 / m.at(j, j);
    for (std::size_t i = j + 1; i < size; ++i) {
      double sum = m.at(i, j) * m.at(j, j);
      for (std::size_t k = j + 1; k < i; ++k) sum += m.at(i, k) * m.at(k, j);
      m.at(i, j) = -sum / m.at(i, i);
    }
  }
  return true;
}

// With M = L L', of which the lower triangle is given, X = inverse of L takes its place. By blocks,
//   M = [A .; B C], L = [L_A 0; F L_S], F = B X_A', X = [X_A 0; -X_S F X_A, X_S], L_S L_S' = C - F F'.
// What is above the diagonal is 0 and remains so.
bool invert_factor(const Block& m, double least_pivot) {
  if (m.num_rows <= kSmall) return invert_small_factor(m, least_pivot);
  const Quarters x(m);
  if (!invert_factor(x.a, least_pivot)) return false;
  const OwnBlock minus_f(x.rest, x.half);
  for (std::size_t j = 0; j < x.half; ++j)
    subtract_rows(x.b.columns(0, j + 1, 0, &x.a.at(j, 0), x.a.stride), minus_f->column(j), x.rest);
  for (std::size_t j = 0; j < x.rest; ++j)
    subtract_rows(minus_f->columns(0, x.half, j, &minus_f->at(j, 0), minus_f->stride), &x.c.at(j, j),
                  x.rest - j);
  if (!invert_factor(x.c, least_pivot)) return false;
  const OwnBlock f_x_a(x.rest, x.half);
  for (std::size_t j = 0; j < x.half; ++j)
    subtract_rows(minus_f->columns(j, x.half - j, 0, &x.a.at(j, j), 1), f_x_a->column(j), x.rest);
  for (std::size_t j = 0; j < x.half; ++j) {
    std::fill_n(x.b.column(j), x.rest, 0.0);
    for (std::size_t k = 0; k < x.rest; k += kSmall)
      subtract_rows(x.c.columns(k, std::min(kSmall, x.rest - k), k, &f_x_a->at(k, j), 1), &x.b.at(k, j),
                    x.rest - k);
  }
  return true;
}

// The lower triangle of X'X takes the place of the triangular X. By blocks,
//   X = [A 0; B C], X'X = [A'A + B'B .; C'B C'C].
void multiply_by_transpose(const Block& m) {
  if (m.num_rows <= kSmall) {
    for (std::size_t j = 0; j < m.num_rows; ++j)
      for (std::size_t i = j; i < m.num_rows; ++i) {
        double sum = 0;
        for (std::size_t k = i; k < m.num_rows; ++k) sum += m.at(k, i) * m.at(k, j);
        m.at(i, j) = sum;
      }
    return;
  }
  const Quarters x(m);
  multiply_by_transpose(x.a);
  const OwnBlock minus_b = negative_transpose(x.b), minus_c = negative_transpose(x.c),
                 product(x.rest, x.half);
  for (std::size_t j = 0; j < x.half; ++j) {
    subtract_rows(minus_b->columns(0, x.rest, j, x.b.column(j), 1), &x.a.at(j, j), x.half - j);
    for (std::size_t k = 0; k < x.rest; k += kSmall) {
      const std::size_t count = std::min(kSmall, x.rest - k);
      subtract_rows(minus_c->columns(k, count, 0, &x.b.at(k, j), 1), product->column(j), k + count);
    }
  }
  for (std::size_t j = 0; j < x.half; ++j) std::copy_n(product->column(j), x.rest, x.b.column(j));
  multiply_by_transpose(x.c);
}

}  // namespace

bool invert(SymmetricMatrix& matrix) {
  const std::size_t size = matrix.size;
  // Rows there are columns here, so that the triangle that is kept is the lower one.
  const Block lower{matrix.values.data(), size, size, size};
  double largest = 0;
  for (std::size_t j = 0; j < size; ++j) {
    std::fill_n(lower.column(j), j, 0.0);
    largest = std::max(largest, lower.at(j, j));
  }
  const double rounding = 8 * double(size) * std::numeric_limits<double>::epsilon();
  if (!invert_factor(lower, rounding * largest)) return false;
  multiply_by_transpose(lower);
  return true;
}

}  // namespace mash
