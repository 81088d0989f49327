// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "classifiers/losses/loss.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

// Pairs of a training: margins of a strong classifier, votes of a hypothesis that is right on the greater
// part of the weight.
struct RandomLine {
  std::vector<double> scores, initial, votes;
  mutable std::vector<double> kept;

  // spread: of the margins around 1. right: the share of votes that are right.
  RandomLine(std::size_t size, double spread, double right, std::uint64_t seed) {
    RandomStream stream(seed, "random line");
    for (std::size_t i = 0; i < size; ++i) {
      const double sign = stream.below(2) ? 1 : -1;
      scores.push_back(sign * (spread > 0 ? 1 + spread * stream.uniform(-1, 1) : 0));
      initial.push_back(sign * stream.uniform(0.1, 1) / double(size));
      votes.push_back(stream.uniform(0, 1) < right ? sign : -sign);
    }
    kept.resize(size);
  }

  LinePairs pairs() const { return {scores, initial, votes, kept}; }
};

inline LinePoint point_at(const Loss& loss, const RandomLine& line, double alpha) {
  std::vector<double> weights(line.scores.size());
  return loss.point_on_line(line.pairs(), alpha, weights);
}

// The beginning of the line, whose point was looked at before.
inline LineStart start_of(const Loss& loss, const RandomLine& line) {
  point_at(loss, line, 0);
  return loss.start_of_line(line.pairs());
}

}  // namespace mash::testing
