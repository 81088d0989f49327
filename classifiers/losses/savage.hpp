// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/loss.hpp"

namespace mash {

// The Savage loss 4 / (1 + e^2m)^2 (Masnadi-Shirazi & Vasconcelos 2008), weights 4 e^2m / (1 + e^2m)^3. It is
// not convex: an example that is wrong by far loses its weight, so that wrong labels do little harm.
const Loss& savage_loss();

}  // namespace mash
