// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/families/feature_set.hpp"

namespace mash::server {

// A digest of all features of a set on all training pictures, by their cuts and codes: equal for the same
// values to the bit, under any name of the heuristic.
std::string features_digest(const FeatureSet& features);

}  // namespace mash::server
