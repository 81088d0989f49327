// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Phi(x), the standard normal distribution function, with the same bits on every machine.
double normal_cdf(double x);

// A mixture of normal distributions of edges: what is believed of a set of features.
struct Mixture {
  struct Component {
    double weight = 1;
    double mean = 0;
    double variance = 0.05 * 0.05;
  };
  std::vector<Component> components{{}};

  double mean() const;
};

// The variance of an edge measured on num_examples drawn examples; none on all num_train (Dubout & Fleuret
// 2014, eq. 3).
double edge_noise(std::uint64_t num_examples, std::uint64_t num_train);

// Fits up to three components to edges by EM; `previous` where they are too few or all alike, and a single
// narrow component at their mean where there is none. noise: the variance that measuring added, taken off the
// components.
Mixture fit_mixture(std::span<const double> edges, const Mixture* previous, double noise = 0);

// The penalised log-likelihood that `fit_mixture` increases.
double log_likelihood(const Mixture& mixture, std::span<const double> edges);

// The true edge that is expected of the candidate with the largest measured edge, where candidates come from
// several families and are measured with some noise (Dubout & Fleuret 2014, section 5): the integral of A
// e^Lambda with Lambda = sum_k Q_k ln F_k and A = sum_k Q_k g_k / F_k. Candidates are added and the
// expectation follows.
class ExpectedEdge {
 public:
  // families: what is believed of each. noise: the variance of a measurement.
  ExpectedEdge(std::span<const Mixture* const> families, double noise);

  // E[eps*] with `count` more candidates of that family; nothing changes.
  double with(std::size_t family, double count) const;
  void add(std::size_t family, double count);

 private:
  std::vector<double> node_weights_;                 // of the quadrature
  std::vector<std::vector<double>> log_cdf_;         // ln F_k, per family and node
  std::vector<std::vector<double>> contribution_;    // g_k / F_k
  std::vector<double> log_product_, contributions_;  // Lambda and A
};

// E[eps*] of one family alone.
double expected_edge(const Mixture& family, double num_candidates, double noise);

}  // namespace mash
