// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace mash {

// Log odds beyond this are no further from certain.
inline constexpr double kMostLogOdds = 700;

// With the probabilities p_l = e^(F_l) / sum of e^(F_k) of some classes writes ln(p_l / (1 - p_l)) for each,
// from -kMostLogOdds to kMostLogOdds: precise however small 1 - p_l is. sums: F of each, finite. REQUIRES: at
// least two classes, as many log odds.
void softmax_log_odds(std::span<const double> sums, std::span<double> log_odds);

// -ln p of one of the classes, as precise; its log odds are held within the same bounds. REQUIRES: as above.
double softmax_loss(std::span<const double> sums, std::size_t label);

}  // namespace mash
