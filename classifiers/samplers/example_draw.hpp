// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"

namespace mash {

// Draws examples n with probability w_n, independently and with replacement ("weighting by sampling", Dubout
// & Fleuret 2014, section 3.1). An alias table (Walker 1977, built as in Vose 1991): O(N) once a round, then
// one random number and one look-up a draw, without a branch on the data.
class WeightedDraw {
 public:
  // REQUIRES: weights >= 0, not all zero.
  explicit WeightedDraw(std::span<const double> example_weights);

  // pass: the how-manieth draw of the round; each has numbers of its own. [any thread]
  // Where num_draws >= N: all examples with their exact weights (an empty ExampleDraw).
  ExampleDraw draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) const;

 private:
  // A slot is drawn uniformly; it stands for its own example below `split` (of 2^32), else for `other`.
  struct Slot {
    std::uint32_t split = 0xffffffff;
    std::uint32_t other = 0;
  };
  std::uint32_t draw_one(RandomStream& stream) const;

  std::vector<Slot> slots_;  // one per example
};

// One draw per size, each with all examples of those before it: an example's priority is w_n / u_n, with u_n
// uniform in (0, 1]; a draw of S takes the S largest, and with tau the next largest an example counts
// max(1, w_n / tau) (priority sampling, Duffield, Lund & Thorup 2007: unbiased but for a factor that all
// features share, and no fixed sample of S has much less variance). No example is drawn twice, and heavy ones
// are not left to chance. sizes: increasing; S >= N gives all examples.
std::vector<ExampleDraw> nested_draws(std::span<const double> example_weights,
                                      std::span<const std::uint64_t> sizes, const Round& round,
                                      const Workers& workers);

}  // namespace mash
