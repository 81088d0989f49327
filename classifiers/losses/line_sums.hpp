// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/line.hpp"

namespace mash {

// The losses whose sums along a line have vectorised code.
enum class LineFormula { kLogistic, kSavage };

// Sums over the pairs at alpha = 0, with the same bits on every instruction set.
LineStart start_of_line(LineFormula formula, const LinePairs& pairs);

// Sums over the pairs at alpha, and the new weights with the signs of the initial ones, not scaled.
// REQUIRES: as many weights as pairs.
LinePoint point_on_line(LineFormula formula, const LinePairs& pairs, double alpha, std::span<double> weights);

}  // namespace mash
