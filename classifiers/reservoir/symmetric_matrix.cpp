// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/symmetric_matrix.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace mash {
namespace {

using Matrix = Eigen::Ref<Eigen::MatrixXd>;
constexpr auto kLower = Eigen::Lower;

// Up to this many rows plain loops are faster.
constexpr Eigen::Index kSmall = 16;

// Eigen cuts products into blocks that fit the caches of the processor, and where it cuts decides how sums
// are rounded. So it is told the same caches everywhere: the bits depend on the vectors that it is compiled
// for, and on nothing that it finds when it runs.
void fix_cache_sizes() {
  static const bool is_fixed = (Eigen::setCpuCacheSizes(1 << 15, 1 << 18, 1 << 21), true);
  static_cast<void>(is_fixed);
}

// See invert_factor.
bool invert_small_factor(Matrix m, double least_pivot) {
  const Eigen::Index size = m.rows();
  for (Eigen::Index j = 0; j < size; ++j) {
    if (!(m(j, j) > least_pivot)) return false;
    const double root = std::sqrt(m(j, j));
    for (Eigen::Index i = j; i < size; ++i) m(i, j) /= root;
    for (Eigen::Index k = j + 1; k < size; ++k)
      for (Eigen::Index i = k; i < size; ++i) m(i, k) -= m(i, j) * m(k, j);
  }
  for (Eigen::Index j = 0; j < size; ++j) {
    m(j, j) = 1 / m(j, j);
    for (Eigen::Index i = j + 1; i < size; ++i) {
      double sum = m(i, j) * m(j, j);
      for (Eigen::Index k = j + 1; k < i; ++k) sum += m(i, k) * m(k, j);
      m(i, j) = -sum / m(i, i);
    }
  }
  return true;
}

// With M = L L', of which the lower triangle is given, X = inverse of L takes its place. By blocks,
//   M = [A .; B C], L = [L_A 0; B X_A' L_S], X = [X_A 0; -X_S (B X_A') X_A, X_S], S = C - (B X_A')(B X_A')'.
bool invert_factor(Matrix m, double least_pivot) {
  if (m.rows() <= kSmall) return invert_small_factor(m, least_pivot);
  const Eigen::Index half = m.rows() / 2, rest = m.rows() - half;
  Matrix a = m.topLeftCorner(half, half), b = m.bottomLeftCorner(rest, half);
  Matrix c = m.bottomRightCorner(rest, rest);
  if (!invert_factor(a, least_pivot)) return false;
  const Eigen::MatrixXd factor = b * a.triangularView<kLower>().transpose();
  c.triangularView<kLower>() -= factor * factor.transpose();
  if (!invert_factor(c, least_pivot)) return false;
  const Eigen::MatrixXd product = factor * a.triangularView<kLower>();
  b.noalias() = -(c.triangularView<kLower>() * product);
  return true;
}

// See multiply_by_transpose.
void multiply_small_by_transpose(Matrix x) {
  const Eigen::Index size = x.rows();
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index i = j; i < size; ++i) {
      double sum = 0;
      for (Eigen::Index k = i; k < size; ++k) sum += x(k, i) * x(k, j);
      x(i, j) = sum;
    }
}

// The lower triangle of X'X takes the place of the triangular X. By blocks,
//   X = [A 0; B C], X'X = [A'A + B'B .; C'B C'C].
void multiply_by_transpose(Matrix x) {
  if (x.rows() <= kSmall) return multiply_small_by_transpose(x);
  const Eigen::Index half = x.rows() / 2, rest = x.rows() - half;
  Matrix a = x.topLeftCorner(half, half), b = x.bottomLeftCorner(rest, half);
  Matrix c = x.bottomRightCorner(rest, rest);
  multiply_by_transpose(a);
  a.triangularView<kLower>() += b.transpose() * b;
  const Eigen::MatrixXd product = c.triangularView<kLower>().transpose() * b;
  b = product;
  multiply_by_transpose(c);
}

}  // namespace

bool invert(SymmetricMatrix& matrix) {
  if (matrix.size == 0) return true;
  fix_cache_sizes();
  const auto size = Eigen::Index(matrix.size);
  // Rows there are columns here, so that the triangle that is kept is the lower one.
  Eigen::Map<Eigen::MatrixXd> lower(matrix.values.data(), size, size);
  double largest = 0;
  for (Eigen::Index i = 0; i < size; ++i) largest = std::max(largest, lower(i, i));
  const double rounding = 8 * double(size) * std::numeric_limits<double>::epsilon();
  if (!invert_factor(lower, rounding * largest)) return false;
  multiply_by_transpose(lower);
  return true;
}

}  // namespace mash
