// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "classifiers/reservoir/greedy_removal.hpp"
#include "classifiers/reservoir/symmetric_matrix.hpp"
#include "framework/base/random.hpp"

// References of the fast paths: formulas as the paper prints them, in plain loops.
namespace mash::testing {

inline SymmetricMatrix matrix_of(const std::vector<std::vector<double>>& rows) {
  SymmetricMatrix matrix(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i; j < rows.size(); ++j) matrix.at(i, j) = rows[i][j];
  return matrix;
}

inline SymmetricMatrix plus_lambda(SymmetricMatrix matrix, double lambda) {
  for (std::size_t i = 0; i < matrix.size; ++i) matrix.at(i, i) += lambda;
  return matrix;
}

// x of M x = b, for the rows and columns `places` of the matrix: elimination with the largest pivot.
inline std::vector<double> solve(const SymmetricMatrix& matrix, std::span<const std::uint32_t> places,
                                 std::vector<double> b) {
  const std::size_t size = places.size();
  std::vector<std::vector<double>> m(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) m[i][j] = matrix.at(places[i], places[j]);
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < size; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < size; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < size; ++j) m[i][j] -= factor * m[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t j = k + 1; j < size; ++j) b[k] -= m[k][j] * b[j];
    b[k] /= m[k][k];
  }
  return b;
}

// w_B + M_BB^-1 M_BR w_R (eq. 13) of the kept examples B.
inline std::vector<double> corrected_weights(const SymmetricMatrix& matrix, std::span<const double> weights,
                                             std::span<const std::uint32_t> kept) {
  std::vector<bool> is_kept(matrix.size);
  for (const std::uint32_t i : kept) is_kept[i] = true;
  std::vector<double> b;
  for (const std::uint32_t i : kept) {
    b.push_back(0);
    for (std::uint32_t j = 0; j < matrix.size; ++j)
      if (!is_kept[j]) b.back() += matrix.at(i, j) * weights[j];
  }
  std::vector<double> corrected = solve(matrix, kept, b);
  for (std::size_t k = 0; k < kept.size(); ++k) corrected[k] += weights[kept[k]];
  return corrected;
}

// <s_B, w~_B>.
inline double expected_edge(const SymmetricMatrix& matrix, const RemovalInput& examples,
                            std::span<const std::uint32_t> kept) {
  const std::vector<double> corrected = corrected_weights(matrix, examples.weights, kept);
  double edge = 0;
  for (std::size_t k = 0; k < kept.size(); ++k)
    edge += corrected[k] * (examples.responses.empty() ? 1 : examples.responses[kept[k]]);
  return edge;
}

// The removal that tries each example at each step.
inline Kept remove_by_trying(const SymmetricMatrix& matrix, const RemovalInput& examples,
                             std::size_t num_removed) {
  std::vector<std::uint32_t> kept(matrix.size);
  std::iota(kept.begin(), kept.end(), 0u);
  for (; num_removed > 0; --num_removed) {
    double best = -std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> best_rest;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      std::vector<std::uint32_t> rest = kept;
      rest.erase(rest.begin() + std::ptrdiff_t(j));
      const double edge = expected_edge(matrix, examples, rest);
      if (edge <= best) continue;
      best = edge;
      best_rest = rest;
    }
    kept = best_rest;
  }
  return {kept, corrected_weights(matrix, examples.weights, kept)};
}

// Codes of num_features features, in which the values of a feature are from `num_values` different ones.
inline std::vector<std::uint8_t> random_codes(std::size_t num_features, std::size_t num_examples,
                                              std::size_t num_values, RandomStream& stream) {
  std::vector<std::uint8_t> codes(num_features * num_examples);
  for (auto& code : codes) code = std::uint8_t(stream.below(num_values) * (255 / num_values));
  return codes;
}

inline std::vector<std::int8_t> random_signs(std::size_t num_examples, RandomStream& stream) {
  std::vector<std::int8_t> signs(num_examples);
  for (auto& sign : signs) sign = stream.below(2) == 0 ? -1 : 1;
  return signs;
}

inline std::vector<double> random_weights(std::size_t num_examples, RandomStream& stream) {
  std::vector<double> weights(num_examples);
  stream.uniform(weights);
  return weights;
}

inline std::vector<std::uint64_t> tie_numbers(std::size_t num_examples, RandomStream& stream) {
  std::vector<std::uint64_t> ties(num_examples);
  for (auto& tie : ties) tie = stream.next_u64();
  return ties;
}

}  // namespace mash::testing
