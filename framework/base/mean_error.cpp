// SPDX-License-Identifier: Apache-2.0
#include "framework/base/mean_error.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kLeastP = 1e-100;  // smaller ones are told as this
constexpr std::size_t kMostSeeds = 1'000'000'000;

// The one sum, of mean squares or of their multiples.
double sum_of(double seeds, double examples, double rest) {
  return std::max(seeds, rest) + std::max(examples, rest) - rest;
}

// The square of the t that is beyond both ends with probability `miss`. The last few are kept: all tables of
// one size ask for the same, and those of a board have up to five numbers of seeds.
double squared_t(std::size_t degrees, double miss) {
  struct Known {
    std::size_t degrees = 0;
    double miss = 0, squared_t = 0;
  };
  thread_local std::array<Known, 8> known;
  thread_local std::size_t oldest = 0;
  for (const Known& one : known)
    if (one.degrees == degrees && one.miss == miss) return one.squared_t;
  const boost::math::students_t distribution{double(degrees)};
  const double t = boost::math::quantile(boost::math::complement(distribution, miss / 2));
  known[oldest++ % known.size()] = {degrees, miss, t * t};
  return t * t;
}

double weighed(double square, std::size_t degrees, double miss) {
  return square == 0 || degrees == 0 ? square : square * squared_t(degrees, miss);
}

}  // namespace

double MeanError::standard_error() const {
  return std::sqrt(sum_of(squares.seeds, squares.examples, squares.rest) /
                   (double(num_seeds) * double(num_examples)));
}

double MeanError::reach(double miss) const {
  const double sum =
      sum_of(weighed(squares.seeds, num_seeds - 1, miss), weighed(squares.examples, num_examples - 1, miss),
             weighed(squares.rest, (num_seeds - 1) * (num_examples - 1), miss));
  return std::sqrt(sum / (double(num_seeds) * double(num_examples)));
}

Interval MeanError::around(double mean, double miss) const {
  const double reach = this->reach(miss);
  return {mean - reach, mean + reach};
}

std::optional<double> MeanError::p_value(double mean) const {
  if (mean == 0) return 1;
  if (standard_error() == 0) return std::nullopt;
  const auto beyond = [&](double log_p) { return reach(std::exp(log_p)) - std::abs(mean); };
  const double least = std::log(kLeastP);
  if (beyond(least) <= 0) return kLeastP;
  std::uintmax_t num_steps = 100;
  const auto [low, high] = boost::math::tools::toms748_solve(
      beyond, least, 0.0, boost::math::tools::eps_tolerance<double>(48), num_steps);
  return std::exp(low + (high - low) / 2);
}

double MeanError::tail_degrees() const {
  static const StudentTail tail(kTestTail);
  const double error = standard_error();
  return error > 0 ? tail.degrees_of(reach(2 * kTestTail) / error) : 1;
}

MeanError MeanError::with_seeds(std::size_t other) const {
  MeanError error = *this;
  error.num_seeds = other;
  error.squares.examples =
      squares.rest + std::max(0.0, squares.examples - squares.rest) * double(other) / double(num_seeds);
  return error;
}

MeanError error_over_seeds(double sd, std::size_t num_seeds) {
  return {.squares = {.seeds = sd * sd}, .num_seeds = num_seeds};
}

MeanError error_over_examples(double sd, std::size_t num_examples) {
  return {.squares = {.examples = sd * sd}, .num_examples = num_examples};
}

std::size_t seeds_to_reach(double distance, const MeanError& error, double miss) {
  std::size_t low = 2, high = kMostSeeds;  // the reach falls with the number of seeds
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (error.with_seeds(middle).reach(miss) > distance)
      low = middle + 1;
    else
      high = middle;
  }
  return low < kMostSeeds ? low : 0;
}

}  // namespace mash
