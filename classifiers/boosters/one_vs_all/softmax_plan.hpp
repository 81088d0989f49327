// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"

namespace mash {

// Every round trains on all examples, and the probabilities of all classes together are the softmax of the
// problems' sums: they stay as they are until each problem has had a round. Steps are Newton's, (K - 1) / K
// times as long; the loss of all problems together is the mean of -ln p of the examples' own classes, divided
// by what it is where all sums are 0. REQUIRES: more than two classes.
ProblemParts make_softmax_parts(const PlanGround& ground);

}  // namespace mash
