// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/dataset/dataset.hpp"

namespace mash {

// The training examples, increasing, on which trials of heuristics are judged, so that the test side stays
// unseen while somebody tries one variant after another: about a sixth, chosen by a hash of the example
// itself. It stays the same when others are added, and equal examples are on the same side. Where examples
// have groups: whole groups, chosen by a hash of their numbers until they are a sixth, so that what is found
// holds for groups that nobody trained on.
std::vector<std::uint32_t> held_out_part(const Dataset& dataset);

// The test examples, increasing, that a public leaderboard judges by and that it shows nobody: about half,
// chosen as above. The others are the public part.
std::vector<std::uint32_t> private_part(const Dataset& dataset);

}  // namespace mash
