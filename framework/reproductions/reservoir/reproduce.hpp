// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Tables of Lefakis & Fleuret 2013: what a reservoir keeps, beside boosters that know other examples. Each
// method is trained with steps as the line search finds them, and with a tenth of these, which the paper does
// not have. Trains what the records lack, and writes the report after each cell.
Result<ReproductionReport> reproduce_reservoir_table(const ReproduceSettings& settings,
                                                     const WorkContext& work);

}  // namespace mash
