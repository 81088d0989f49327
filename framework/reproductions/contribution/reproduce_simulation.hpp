// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Offer tests of planted families beside real ones on MNIST: how often noise is said to add, whether a copy
// and a leak are recognised, and how often a small gain is found.
Result<ReproductionReport> reproduce_simulation(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
