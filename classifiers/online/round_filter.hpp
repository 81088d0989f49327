// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "framework/base/random.hpp"

namespace mash {

// The parts of FilterBoost (Bradley & Schapire 2007), which trains each round on fresh examples of an oracle.
// Rounds t and calls r count from 1; an edge here is u = P(h = y) - 1/2, half of what it is elsewhere in
// MASH.

struct FilterSettings {
  double epsilon = 0.05;  // the error aimed at
  double delta = 0.05;    // the probability that it is missed
};

// delta / (3 t (t+1)): the share of delta of round t.
double round_delta(double delta, std::uint32_t round);
// (2/epsilon) ln(1/delta') with delta' = round_delta / (r (r+1)): as many draws may be rejected in the r-th
// call of a round.
double filter_cap(double epsilon, double round_delta, std::uint64_t call);
// ceil(C ln(t+2)): the number of examples to train on in round t (the rule of MultiBoost, whose C is 300).
std::uint64_t filterboost_sample_size(double factor, std::uint32_t round);
// 1/2 ln((1/2+u)/(1/2-u)), with u held in [-1/2 + 1e-6, 1/2 - 1e-6].
double filterboost_alpha(double edge);

// An example that the oracle drew, with its margin y F_{t-1}(x).
struct OracleDraw {
  std::uint32_t example_idx = 0;
  int sign = 1;
  double margin = 0;
};
using Oracle = std::function<OracleDraw()>;

// The filter of one round: accepts a draw with the probability 1 / (1 + e^margin).
class RoundFilter {
 public:
  // oracle: outlives the filter. seed, round: name the random numbers.
  RoundFilter(const FilterSettings& settings, std::uint64_t seed, std::uint32_t round, const Oracle& oracle);

  // The next accepted draw; nothing where as many as filter_cap in a row were rejected. That ends the whole
  // algorithm: with probability 1 - delta the error is epsilon or less.
  std::optional<OracleDraw> next();
  // Draws of the oracle in all calls: what the round has cost.
  std::uint64_t num_draws() const { return num_draws_; }

 private:
  double epsilon_, round_delta_;
  const Oracle& oracle_;
  RandomStream acceptance_;
  std::uint64_t num_calls_ = 0, num_draws_ = 0;
};

// When the edge of a hypothesis is known well enough.
struct EdgeRule {
  double tau = 0.5;
  double round_delta = 0.05;
  // Stop at the latest after as many examples, at least 1: a hypothesis without an edge would never be known
  // well enough.
  std::uint64_t max_samples = 1'000'000;
  bool is_fixed = false;  // take max_samples examples, at any edge
};

// Whether u, the mean over m examples, has the relative error tau with probability 1 - round_delta:
// |u| >= a (1 + 1/tau), a = sqrt(ln(m (m+1) / round_delta) / (2m)).
bool is_edge_known(double edge, std::uint64_t num_samples, const EdgeRule& rule);

struct EdgeEstimate {
  double edge = 0;  // where the rule stopped by itself, u / (1 + tau), which is not above the truth; else u
  std::uint64_t num_samples = 0;
};

// The edge of a hypothesis (getEdge): is_right says whether it is right on the next accepted example, or
// nothing where the filter has ended; then there is no estimate either.
std::optional<EdgeEstimate> estimate_edge(const EdgeRule& rule,
                                          const std::function<std::optional<bool>()>& is_right);

}  // namespace mash
