// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The k nearest neighbours: NeighboursModel of the examples that have a weight. The search is exact. The
// error on the training side is that of at most kMostJudged examples, drawn by the seed; each of them is its
// own nearest neighbour. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_k_nn(Settings& settings);

}  // namespace mash
