// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/reservoir/symmetric_matrix.hpp"

namespace mash {

// Examples that stay.
struct Kept {
  std::vector<std::uint32_t> places;  // increasing
  std::vector<double> weights;        // of each, for the weak learner; a corrected weight may be below 0
};

// The inverse of Sigma + lambda I; where that is not positive definite, lambda is raised to the next of 1e-3,
// 1e-2, 0.1 and 1. Nothing where even 1 does not help, as when an element is not a number. A covariance of
// edges is helped by any of them. REQUIRES: lambda >= 0.
std::optional<SymmetricMatrix> regularised_inverse(const SymmetricMatrix& covariance, double lambda);

// Examples to remove from, n of each.
struct RemovalInput {
  std::span<const double> weights;         // w
  std::span<const std::uint64_t> ties;     // random numbers: of equals the one with the smallest goes first
  std::span<const double> responses = {};  // s = y h(x) of the hypothesis that is hoped for; empty: all 1
};

// Greedy edge expectation maximization (Lefakis & Fleuret 2013, section 3.4): removes one example after the
// other, each time the one without which the edge that is expected of the hypothesis s on all examples is
// largest. What remains, B, gets the weights that stand for all (eq. 13),
//   w~_B = w_B + Sigma_BB^-1 Sigma_BR w_R with R what was removed, and the expected edge is <s, w~_B>.
// inverse: P of all examples. With u = P s, removing j costs w~_j u_j / P_jj (equal up to 1e-12: ties
// decide), then u -= P_j u_j / P_jj, w~ -= P_j w~_j / P_jj, P -= P_j P_j' / P_jj (eq. 12, with the divisor
// corrected). At most num_removed * n^2 multiplications. REQUIRES: n weights and ties, n responses or none,
// num_removed <= n, an inverse that is positive definite.
Kept remove_greedily(const SymmetricMatrix& inverse, const RemovalInput& examples, std::size_t num_removed);

}  // namespace mash
