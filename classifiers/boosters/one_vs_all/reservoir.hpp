// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Reservoir boosting (Lefakis & Fleuret 2013): one class against all others (one_vs_all.hpp). At any time it
// knows only the r examples of a reservoir and q fresh ones (reservoir_plan.hpp). Reads rounds, keep, size,
// fresh, alpha_weights, shrink, scan and the keys of the strategies; the caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_reservoir(Settings& settings, SearchParts search);

}  // namespace mash
