// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"

namespace mash {

// Draws examples n with probability w_n, independently and with replacement ("weighting by sampling", Dubout & Fleuret
// 2014, section 3.1). Built once a round in O(N); each draw then takes constant time on average.
class WeightedDraw {
 public:
  WeightedDraw(std::span<const double> example_weights, const Workers& workers);

  // pass: the how-manieth draw of the round; each has numbers of its own.
  // Where num_draws >= N: all examples with their exact weights (an empty ExampleDraw).
  ExampleDraw draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass);

 private:
  std::uint32_t draw_one(RandomStream& stream) const;

  const Workers& workers_;
  std::vector<double> cumulative_;     // w_0 + ... + w_n
  std::vector<std::uint32_t> guide_;   // where to begin looking, by the leading bits of the uniform number
  std::vector<std::uint32_t> counts_;  // scratch, zero between calls
  std::vector<std::uint64_t> drawn_;   // scratch, one bit an example, zero between calls
};

}  // namespace mash
