// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/analysis/gain_parts.hpp"
#include "framework/base/parallel.hpp"

namespace mash {

// How much of what the log-loss of an example falls by is owed to each other class, its rivals: with scaled
// scores z that go straight from before to after, -change of (z_l - z_y) times the integral of p_l, by Gauss
// and Legendre with 8 points. What their sum lacks of the fall is added to them by their size, so that they
// add up to it. before, after: scaled scores; parts: of each class, 0 for the label's own; as many.
void rival_parts(std::span<const float> before, std::span<const float> after, std::size_t label,
                 std::span<double> parts);

// The part of one class's examples in a gain, against one rival; part.group_idx: label x classes + rival.
struct RivalGain {
  std::size_t label = 0, rival = 0;
  GainPart part;  // corrected for all pairs of classes
};

// The gains of seeds by the true class and the rival.
class RivalGains {
 public:
  RivalGains(std::span<const std::uint16_t> labels, std::size_t num_classes);

  // One seed: scaled scores, examples x classes.
  void add(std::span<const float> before, std::span<const float> after, const Workers& workers);

  // All rivals of each class that has at least two examples. factor: the gain_factor of the same seeds.
  // REQUIRES: two seeds.
  std::vector<RivalGain> gains(double factor) const;

 private:
  std::vector<std::uint16_t> labels_;
  std::size_t num_classes_;
  std::vector<std::vector<std::size_t>> classes_;  // the examples of each
  std::vector<PairedDifferences> cells_;           // label x rival, over the examples of the label
};

}  // namespace mash
