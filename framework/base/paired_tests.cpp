// SPDX-License-Identifier: Apache-2.0
#include "framework/base/paired_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kRounding = 1e-9;  // of differences

// From the smallest p on: visit(place, those that are left with it, the largest product so far).
template <class Visit>
void for_each_by_holm(std::span<const double> p_values, const Visit& visit) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t num_left = order.size() - i;
    largest = std::max(largest, double(num_left) * p_values[order[i]]);
    visit(order[i], num_left, largest);
  }
}

}  // namespace

PairedTest paired_test(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size() && a.size() >= 2, "paired_test: as many of a as of b, at least two");
  const auto count = double(a.size());
  PairedTest test;
  for (std::size_t i = 0; i < a.size(); ++i) {
    test.mean_difference += (a[i] - b[i]) / count;
    test.num_less += a[i] < b[i];
  }
  if (differ_alike(a, b)) {
    if (std::abs(test.mean_difference) <= kRounding) test.p_value = 1;
    return test;
  }
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(a[i] - b[i] - test.mean_difference, 2);
  const double error = std::sqrt(squares / (count - 1) / count);
  test.p_value = student_p_value(test.mean_difference / error, a.size() - 1);
  return test;
}

bool differ_alike(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size() && !a.empty(), "differ_alike: as many of a as of b, at least one");
  double least = a[0] - b[0], most = least;
  for (std::size_t i = 1; i < a.size(); ++i) {
    least = std::min(least, a[i] - b[i]);
    most = std::max(most, a[i] - b[i]);
  }
  return most - least <= kRounding;
}

McNemar mcnemar(std::size_t num_fixed, std::size_t num_broken) {
  const std::size_t num_changed = num_fixed + num_broken;
  if (num_changed == 0) return {};
  const boost::math::binomial_distribution<double> fair(double(num_changed), 0.5);
  const auto fewer = double(std::min(num_fixed, num_broken));
  const double both_tails = 2 * boost::math::cdf(fair, fewer);
  return {std::min(1.0, both_tails), both_tails - boost::math::pdf(fair, fewer)};
}

std::vector<double> holm_corrected(std::span<const double> p_values) {
  std::vector<double> corrected(p_values.begin(), p_values.end());
  for_each_by_holm(
      p_values, [&](std::size_t i, std::size_t, double product) { corrected[i] = std::min(1.0, product); });
  return corrected;
}

std::vector<double> holm_factors(std::span<const double> p_values) {
  std::vector<double> factors(p_values.size());
  for_each_by_holm(p_values, [&](std::size_t i, std::size_t num_left, double product) {
    factors[i] = p_values[i] > 0 ? product / p_values[i] : double(num_left);
  });
  return factors;
}

}  // namespace mash
