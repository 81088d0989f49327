// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/round_filter.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {

double round_delta(double delta, std::uint32_t round) {
  return delta / (3 * double(round) * (double(round) + 1));
}

double filter_cap(double epsilon, double round_delta, std::uint64_t call) {
  return 2 / epsilon * stable_log(double(call) * (double(call) + 1) / round_delta);
}

std::uint64_t filterboost_sample_size(double factor, std::uint32_t round) {
  return std::uint64_t(std::ceil(factor * stable_log(double(round) + 2)));
}

double filterboost_alpha(double edge) {
  const double right = std::clamp(0.5 + edge, 1e-6, 1 - 1e-6);
  return 0.5 * stable_log(right / (1 - right));
}

RoundFilter::RoundFilter(const FilterSettings& settings, std::uint64_t seed, std::uint32_t round,
                         const Oracle& oracle)
    : epsilon_(settings.epsilon),
      round_delta_(mash::round_delta(settings.delta, round)),
      oracle_(oracle),
      acceptance_(seed, "filterboost.filter", round) {
  require(settings.epsilon > 0 && settings.epsilon < 1 && settings.delta > 0 && settings.delta < 1,
          "RoundFilter: epsilon and delta in (0, 1)");
  require(round >= 1, "RoundFilter: rounds count from 1");
}

std::optional<OracleDraw> RoundFilter::next() {
  ++num_calls_;
  for (auto left = std::uint64_t(filter_cap(epsilon_, round_delta_, num_calls_)); left > 0; --left) {
    ++num_draws_;
    const OracleDraw draw = oracle_();
    if (acceptance_.uniform() < 1 / (1 + stable_exp(draw.margin))) return draw;
  }
  return std::nullopt;
}

bool is_edge_known(double edge, std::uint64_t num_samples, const EdgeRule& rule) {
  const auto m = double(num_samples);
  const double deviation = std::sqrt(stable_log(m * (m + 1) / rule.round_delta) / (2 * m));
  return std::abs(edge) >= deviation * (1 + 1 / rule.tau);
}

std::optional<EdgeEstimate> estimate_edge(const EdgeRule& rule,
                                          const std::function<std::optional<bool>()>& is_right) {
  require(rule.tau > 0 && rule.tau < 1, "estimate_edge: tau in (0, 1)");
  require(rule.max_samples >= 1, "estimate_edge: at least one example");
  std::uint64_t num_right = 0;
  for (std::uint64_t m = 1;; ++m) {
    const std::optional<bool> next = is_right();
    if (!next) return std::nullopt;
    num_right += *next;
    const double edge = double(num_right) / double(m) - 0.5;
    if (!rule.is_fixed && is_edge_known(edge, m, rule)) return EdgeEstimate{edge / (1 + rule.tau), m};
    if (m == rule.max_samples) return EdgeEstimate{edge, m};
  }
}

}  // namespace mash
