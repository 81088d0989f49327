// SPDX-License-Identifier: Apache-2.0
#include "heuristics/common/hog.hpp"

namespace {

class OrientedHog final : public mash::heuristics::Hog {
 public:
  static constexpr auto parameters = mash::heuristics::hog_parameters(12);

  explicit OrientedHog(const mash::Parameters& parameters) : Hog(parameters, true) {}
};

}  // namespace

MASH_HEURISTIC(OrientedHog, "hog-oriented", "1.0.0", "MASH",
               "histograms of gradients, orientations of 0 to 360 degrees", "Apache-2.0")
