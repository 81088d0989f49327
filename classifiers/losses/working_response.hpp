// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// No working response is larger (Friedman, Hastie & Tibshirani 2000, section 4.3: between 2 and 4).
inline constexpr double kMostResponse = 4;

// The target of a regression in a Newton step of the logistic loss.
struct WorkingResponse {
  double size = 0;  // z of the example, except the sign, which is that of its class: from 1 to kMostResponse
  double weight = 0;  // w, from 1e-10 to 1/4
};

// The response to an example with the margin m = y F, where F is the logarithm of the odds, twice the paper's
// F (Friedman, Hastie & Tibshirani 2000, Algorithm 3). With the probability p = 1 / (1 + e^-m) of the
// example's own class
//
//   z = (1 - p) / (p (1 - p)) = 1 + e^-m, at most 4        w = p (1 - p), at least 1e-10
WorkingResponse working_response(double margin);

}  // namespace mash
