// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/scan/stump_scan.hpp"
#include "framework/base/random.hpp"

namespace mash {

// Draws examples n with probability w_n, independently and with replacement ("weighting by sampling", Dubout & Fleuret
// 2014, section 3.1). Built once a round in O(N); each draw then takes constant time on average.
class WeightedDraw {
 public:
  explicit WeightedDraw(std::span<const double> example_weights);

  // Where num_draws >= N: all examples with their exact weights (an empty ExampleDraw).
  ExampleDraw draw(std::uint64_t num_draws, RandomStream& stream);

 private:
  std::uint32_t draw_one(RandomStream& stream) const;

  std::vector<double> cumulative_;       // w_0 + ... + w_n
  std::vector<std::uint32_t> guide_;     // where to begin looking, by the leading bits of the uniform number
  std::vector<std::uint32_t> counts_;    // scratch: zero between calls
};

}  // namespace mash
