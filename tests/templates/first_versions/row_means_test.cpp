// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  Tested heuristic;
  MASH_CHECK(heuristic.dim(28, 20) == 20);

  // Row 0 is black, row 1 half black and half white, row 2 white.
  const Picture picture(4, 3, [](unsigned x, unsigned y) { return y == 2 || (y == 1 && x < 2) ? 255 : 0; });
  const std::vector<float> features = heuristic.features(picture);
  MASH_CHECK(features.size() == 3);
  MASH_CHECK_NEAR(features[0], 0, 1e-4);
  MASH_CHECK_NEAR(features[1], 127.5, 1e-4);
  MASH_CHECK_NEAR(features[2], 255, 1e-4);
  return result();
}
