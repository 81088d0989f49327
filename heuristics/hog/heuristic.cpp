// SPDX-License-Identifier: Apache-2.0
#include "heuristics/common/hog.hpp"

namespace {

class UnsignedHog final : public mash::heuristics::Hog {
 public:
  static constexpr auto parameters = mash::heuristics::hog_parameters(9);

  explicit UnsignedHog(const mash::Parameters& parameters) : Hog(parameters, false) {}
};

}  // namespace

MASH_HEURISTIC(UnsignedHog, "hog", "1.0.0", "MASH",
               "histograms of gradients, orientations of 0 to 180 degrees", "Apache-2.0")
