// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/working_response.hpp"

#include <algorithm>

#include "framework/base/elementary.hpp"

namespace mash {

WorkingResponse working_response(double margin) {
  const double p_other = 1 / (1 + stable_exp(margin));
  return {std::min(kMostResponse, 1 + stable_exp(-margin)), std::max(1e-10, p_other * (1 - p_other))};
}

}  // namespace mash
