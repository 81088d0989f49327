// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// The test error within a time for each picture, from 5 microseconds to 1 millisecond: models that were
// trained for that time, and the unlimited one cut short or stopped early.
Result<ReproductionReport> reproduce_budget_time(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
