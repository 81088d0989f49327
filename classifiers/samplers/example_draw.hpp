// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/samplers/place_search.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"

namespace mash {

// Draws examples n with probability w_n, independently and with replacement ("weighting by sampling", Dubout
// & Fleuret 2014, section 3.1). The S numbers of a draw are made in increasing order, as the arrival times of
// a Poisson process divided by that of the next (Devroye 1986, chapter V.3), so that they are looked up one
// after the other: O(N) once a round, then expected O(S) a draw.
class WeightedDraw {
 public:
  // REQUIRES: weights >= 0, not all zero.
  WeightedDraw(std::span<const double> example_weights, const Workers& workers)
      : num_examples_(example_weights.size()), sums_(example_weights, workers) {}

  // pass: the index of the draw in the round; each has random numbers of its own. Where num_draws >= N: all
  // examples with their exact weights (an empty ExampleDraw). [any thread]
  ExampleDraw draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) const;

 private:
  // Independent uniform numbers below the sum of all weights, in increasing order.
  std::vector<double> places(std::uint64_t num_draws, RandomStream stream) const;

  std::size_t num_examples_;
  PrefixSums sums_;
};

// weighted.draw, its time counted as that of drawing.
ExampleDraw timed_draw(StumpScan& scan, const WeightedDraw& weighted, std::uint64_t num_draws,
                       const Round& round, std::uint32_t pass);

// One draw per size, each with all examples of those before it: an example's priority is w_n / u_n, with u_n
// uniform in (0, 1]; a draw of S takes the S largest, and with tau the next largest an example counts
// max(1, w_n / tau) (priority sampling, Duffield, Lund & Thorup 2007: unbiased except for a factor that all
// features share, and no fixed sample of S has much less variance). No example is drawn twice, and heavy ones
// are not left to chance. sizes: increasing; S >= N gives all examples.
std::vector<ExampleDraw> nested_draws(std::span<const double> example_weights,
                                      std::span<const std::uint64_t> sizes, const Round& round,
                                      const Workers& workers);

}  // namespace mash
