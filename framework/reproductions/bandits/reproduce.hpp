// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Table 1 and Figure 4 of Busa-Fekete & Kegl 2010: bandits whose arms are features, with three weak learners.
// Trains what the records lack, and writes the report after each cell.
Result<ReproductionReport> reproduce_bandit_table(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
