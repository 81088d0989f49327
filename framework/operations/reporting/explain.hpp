// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/operations/prediction/loaded_model.hpp"
#include "framework/reports/explanation.hpp"

namespace mash {

// The most pictures that are explained at once: for each, some sixty covered copies are classified.
inline constexpr std::size_t kMostExplained = 100;

// Says of each picture how the families and features of a model voted, where in the picture the answer
// depends on, and what would change it. Errors (kInput): more than kMostExplained pictures; those of
// load_model and read_pictures_for; a heuristic's own; kStopped.
Result<ExplanationReport> explain_pictures(const ModelSource& source,
                                           const std::vector<std::string>& pictures, const WorkContext& work);

}  // namespace mash
