// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Figure 1 of Huang, Powers & Reyzin 2015, with the trees of Figure 3: test error against budget, and what
// the paper says of it, tested. Finished repetitions are kept in the store, each in a file of its own, and
// are not run again.
Result<ReproductionReport> reproduce_budget_figure(const ReproduceSettings& settings,
                                                   const WorkContext& work);

}  // namespace mash
