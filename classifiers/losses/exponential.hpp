// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mash {

// The exponential loss, R(f) = sum over n, l of w1_nl exp(-f_l(x_n) y_nl) (Schapire & Singer 1999).

// The coefficient of a hypothesis with answers in {-1,+1} and the factor by which it shrinks the loss.
struct ExponentialStep {
  double alpha = 0;       // 1/2 ln((1 + edge) / (1 - edge))
  double exp_alpha = 1;   // e^alpha
  double normaliser = 1;  // Z = sqrt(1 - edge^2)
};

// edge in [0, 1]. Close to a perfect edge, where the wrong weight e = (1 - edge)/2 is below delta = 0.01/N,
// alpha is held at 1/2 ln((1 - delta)/delta) and Z = (1 - e) e^-alpha + e e^alpha.
ExponentialStep exponential_step(double edge, std::size_t num_examples);

}  // namespace mash
