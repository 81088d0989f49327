// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// Numbers of features, increasing: all or, where there are more than `most`, those with the smallest hashes.
// Each is drawn with the same probability, and the order of the families does not matter. purpose: of the
// hashes, one for each learner.
std::vector<std::uint32_t> drawn_features(const FeatureSet& features, std::size_t most, std::uint64_t seed,
                                          std::string_view purpose);

}  // namespace mash
