// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/softmax.hpp"

namespace mash {

void sums_of_others(std::span<const double> exps, std::span<double> others) {
  double before = 0, after = 0;
  for (std::size_t l = 0; l < exps.size(); ++l) {
    others[l] = before;
    before += exps[l];
  }
  for (std::size_t l = exps.size(); l-- > 0;) {
    others[l] += after;
    after += exps[l];
  }
}

}  // namespace mash
