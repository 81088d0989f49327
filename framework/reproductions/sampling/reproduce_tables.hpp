// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Tables 1, 2 and 4 of Dubout & Fleuret 2014: one data set, thirteen samplers. Trains what the records lack,
// and writes the report after each method.
Result<ReproductionReport> reproduce_sampling_table(const ReproduceSettings& settings,
                                                    const WorkContext& work);

}  // namespace mash
