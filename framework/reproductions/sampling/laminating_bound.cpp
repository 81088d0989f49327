// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/laminating_bound.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// Draws how many of n independent votes are right, each with probability p.
class Binomial {
 public:
  Binomial(std::uint64_t n, double p) {
    const double trials = double(n);
    double sum = 0;
    for (double k = 0; k <= trials; ++k) {
      const double log_choose = std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1);
      sum += std::exp(log_choose + k * std::log(p) + (trials - k) * std::log1p(-p));
      cdf_.push_back(sum);
    }
  }
  std::size_t draw(RandomStream& stream) const {
    const auto place = std::upper_bound(cdf_.begin(), cdf_.end(), stream.uniform() * cdf_.back());
    return std::size_t(place - cdf_.begin());
  }

 private:
  std::vector<double> cdf_;
};

// Whether the good learner is among the better half, rounded up, of all.
bool survives(std::uint32_t num_features, const Binomial& good, const Binomial& bad, RandomStream& stream) {
  const std::size_t right = good.draw(stream);
  std::uint32_t num_ahead = 0;
  for (std::uint32_t j = 1; j < num_features; ++j) num_ahead += bad.draw(stream) >= right;
  return num_ahead < (num_features + 1) / 2;
}

}  // namespace

LaminatingBound laminating_lemma(double delta, std::uint64_t num_examples) {
  const double exponent = delta * delta * double(num_examples);
  return {4 * std::exp(-exponent / 2), 4 * std::exp(-exponent / 8)};
}

LaminatingBound laminating_theorem(double delta, std::uint64_t num_examples) {
  const double exponent = delta * delta * double(num_examples);
  const auto bound = [&](double constant) { return 4 / (1 - std::exp(-exponent / constant)) - 4; };
  return {bound(69), bound(276)};
}

double laminating_failures(std::uint32_t num_features, std::uint64_t num_examples, double delta,
                           bool all_passes, std::uint32_t num_trials, std::uint64_t seed) {
  std::vector<Binomial> good, bad;
  for (std::uint32_t left = num_features; left > 1; left = (left + 1) / 2, num_examples *= 2) {
    good.emplace_back(num_examples, 0.5 + delta / 4);
    bad.emplace_back(num_examples, 0.5 - delta / 4);
    if (!all_passes) break;
  }
  std::uint32_t num_failures = 0;
  for (std::uint32_t trial = 0; trial < num_trials; ++trial) {
    RandomStream stream(seed, "laminating.bound", trial);
    std::uint32_t left = num_features;
    for (std::size_t pass = 0; pass < good.size(); ++pass, left = (left + 1) / 2)
      if (!survives(left, good[pass], bad[pass], stream)) {
        ++num_failures;
        break;
      }
  }
  return double(num_failures) / num_trials;
}

}  // namespace mash
