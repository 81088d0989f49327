// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/loss.hpp"

#include "framework/base/require.hpp"

namespace mash {

ClosedStep Loss::closed_step(double, std::size_t) const {
  require(false, "closed_step of a loss that has none");
  return {};
}

}  // namespace mash
