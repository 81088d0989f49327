// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/reports/comparison/comparison.hpp"

namespace mash {

// Versions of heuristics ("ID@VERSION" each): of each the offer test that can be compared with those of the
// others and of which the most is kept, else the latest. dataset: the name of the only one to look at; empty:
// any. remarks: what was chosen from. Errors (kInput): no such version.
Result<std::vector<ComparedOffer>> offers_of_versions(const RecordsReader& records,
                                                      const std::vector<std::string>& what,
                                                      const std::string& dataset,
                                                      std::vector<std::string>& remarks);

}  // namespace mash
