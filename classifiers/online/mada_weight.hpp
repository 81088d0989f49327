// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "framework/base/elementary.hpp"

namespace mash {

// min(1, e^-m) of the margin m = y F(x): the weight of MadaBoost as a share of the example's first weight
// (Domingo & Watanabe 2000). Never above 1, so that an example can be accepted with this probability.
inline double mada_weight(double margin) { return std::min(1.0, stable_exp(-margin)); }

}  // namespace mash
