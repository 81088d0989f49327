// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// FilterBoost (Bradley & Schapire 2007): one class against all others (one_vs_all.hpp), each round on
// examples that a filter lets through (filter_plan.hpp). Reads rounds, sample, edge_samples, tau, epsilon,
// delta and scan; the caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_filterboost(Settings& settings, SearchParts search);

}  // namespace mash
