// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/reports/comparison/comparison.hpp"

namespace mash {

// Chooses an offer test for each version of a heuristic ("ID@VERSION"). It is a test that can be compared
// with those of the other versions, and of these the one with the most kept; else it is the latest test.
// dataset: the name of the only data set to look at; empty: any. remarks: says what was chosen from. Errors
// (kInput): there is no such version.
Result<std::vector<ComparedOffer>> offers_of_versions(const RecordsReader& records,
                                                      const std::vector<std::string>& what,
                                                      const std::string& dataset,
                                                      std::vector<std::string>& remarks);

}  // namespace mash
