// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/losses/loss.hpp"

namespace mash {

// y F of some examples, y h of a hypothesis there, and how often each counts: the line F + alpha h.
struct MarginLine {
  std::vector<double> margins, agreements, counts;

  std::vector<double> after(double alpha) const;
};

// The mean loss at a place of the line.
double mean_loss(const Loss& loss, const MarginLine& line, double alpha);

// The step in [0, 10] that minimises the loss, 0 where there is nothing to be gained.
double best_step(const Loss& loss, const MarginLine& line);

}  // namespace mash
