// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// Figures 1 (which trains nothing) and 2 of Dubout & Fleuret 2014, Figure 3 of Busa-Fekete & Kegl 2010.
Result<ReproductionReport> reproduce_edge_figure(const ReproduceSettings& settings, const WorkContext& work);
Result<ReproductionReport> reproduce_gap_figure(const ReproduceSettings& settings, const WorkContext& work);
Result<ReproductionReport> reproduce_selection_figure(const ReproduceSettings& settings,
                                                      const WorkContext& work);

}  // namespace mash
