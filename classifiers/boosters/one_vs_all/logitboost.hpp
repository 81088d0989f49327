// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// LogitBoost, one class against all others (one_vs_all.hpp). It trains on all examples, or on some that are
// drawn (whole_side_plan.hpp). Reads rounds, examples, drawn, step_on, shrink and scan; the caller refuses
// the rest.
Result<std::unique_ptr<const Booster>> make_logitboost(Settings& settings, SearchParts search);

// Classical LogitBoost: Newton steps, for all classes together, by least squares on the working responses of
// all examples. Reads rounds and shrink.
Result<std::unique_ptr<const Booster>> make_classical_logitboost(Settings& settings, SearchParts search);

}  // namespace mash
