// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/families/feature_set.hpp"
#include "framework/records/submissions.hpp"

namespace mash::server {

// A digest of all features of a set on all training pictures, by their cuts and codes: equal for the same
// values to the bit, under any name of the heuristic.
std::string features_digest(const FeatureSet& features);

// Codes of some of the features of each family on some training pictures, by which near copies are known:
// those that reports compare families by.
FeatureSample feature_sample(const FeatureSet& features);

}  // namespace mash::server
