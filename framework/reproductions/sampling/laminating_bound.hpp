// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mash {

// Bounds on how probable it is that Laminating loses all learners with an edge above the best one less delta;
// num_examples: S, of the first pass (Dubout & Fleuret 2014, Lemma 1 and Theorem 1). The paper applies
// Hoeffding's inequality as if votes of -1 and +1 had a range of 1; it is 2, which puts a factor of 4 under
// the exponents.
struct LaminatingBound {
  double printed = 0;
  double corrected = 0;
};
// One pass: 4 exp(-delta^2 S / 2) as printed, 4 exp(-delta^2 S / 8).
LaminatingBound laminating_lemma(double delta, std::uint64_t num_examples);
// All passes: 4 / (1 - exp(-delta^2 S / 69)) - 4 as printed, 276 in place of 69.
LaminatingBound laminating_theorem(double delta, std::uint64_t num_examples);

// The share of trials in which the one learner with edge +delta/2 is lost among num_features of which all
// others have -delta/2, each measured on examples of its own. all_passes: of the whole tournament, else of
// its first pass. Ties are against the good learner.
double laminating_failures(std::uint32_t num_features, std::uint64_t num_examples, double delta,
                           bool all_passes, std::uint32_t num_trials, std::uint64_t seed);

}  // namespace mash
