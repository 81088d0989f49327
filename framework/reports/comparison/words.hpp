// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/reports/comparison/comparison.hpp"

// A comparison in sentences.
namespace mash {

// Our knowledge of two: which is better and by how much; or that they are not told apart, and then what may
// be true and what would have been seen.
std::string sentences_of(const ComparisonReport& comparison, const ComparedPair& pair);
// "B − A"
std::string name_of(const ComparedPair& pair);
// "−0.35": in points of errors, in per cent of the log-loss of offers.
std::string difference_in_words(const ComparisonReport& comparison, double difference);
// "−0.80 to +0.10"; "–" where there is none.
std::string interval_in_words(const ComparisonReport& comparison, const PairedDifference& difference);

// All of it for a terminal.
std::string render_text(const ComparisonReport& comparison, bool all);

}  // namespace mash
