// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  // In 16 x 16 pixels, two boxes of side 8 side by side fit at y = 0, 4, 8; one below the other at x = 0, 4, 8.
  Tested heuristic({{"box", 8}});
  MASH_CHECK(heuristic.dim(16, 16) == 3 + 3);

  const Picture upright(16, 16, [](unsigned x, unsigned) { return x < 8 ? 0 : 255; });
  const std::vector<float> features = heuristic.features(upright);
  for (std::size_t i = 0; i < features.size(); ++i) MASH_CHECK_NEAR(features[i], i < 3 ? 255 : 0, 1e-4);

  // The other half: a pair has its sign, which is the second box less the first.
  const Picture lying(16, 16, [](unsigned, unsigned y) { return y < 8 ? 200 : 0; });
  const std::vector<float> turned = heuristic.features(lying);
  for (std::size_t i = 3; i < turned.size(); ++i) MASH_CHECK_NEAR(turned[i], -200, 1e-4);

  // Boxes of one pixel: differences of neighbours, first along the rows.
  Tested small({{"box", 1}});
  const Picture three(3, 1, [](unsigned x, unsigned) { return x == 0 ? 10 : x == 1 ? 30 : 25; });
  const std::vector<float> differences = small.features(three);
  MASH_CHECK(differences.size() == 2);
  MASH_CHECK_NEAR(differences[0], 20, 0);
  MASH_CHECK_NEAR(differences[1], -5, 0);
  return result();
}
