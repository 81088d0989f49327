// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace mash {

// The parts of which a credit (a Shapley value) is a mean, for differences of two credits: those of the same
// number belong together. Nats.
struct CreditParts {
  // The part of each pair of permutations; NaN where the family comes first or last in it. Empty: all subsets
  // were asked for.
  std::vector<double> of_pairs;
  std::vector<double> of_seeds;  // the part of the trainings with each seed
  // The credit in the loss of each test picture, over all seeds and orders. Empty: not known.
  std::vector<double> of_pictures = {};

  bool operator==(const CreditParts&) const = default;
};

}  // namespace mash
