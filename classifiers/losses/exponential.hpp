// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/loss.hpp"

namespace mash {

// The exponential loss e^-m (Schapire & Singer 1999). Its closed step is alpha = 1/2 * ln((1 + edge) /
// (1 - edge)), which multiplies the loss by Z = sqrt(1 - edge^2). Close to a perfect edge, where the wrong
// weight e = (1 - edge)/2 is below delta = 0.01/N, alpha is held at 1/2 * ln((1 - delta)/delta) and
// Z = (1 - e) * e^-alpha + e * e^alpha.
const Loss& exponential_loss();

}  // namespace mash
