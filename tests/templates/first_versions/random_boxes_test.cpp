// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  Tested heuristic;
  MASH_CHECK(heuristic.dim(9, 9) == 101);

  // On a flat picture any two boxes are alike.
  const Picture flat(9, 9, [](unsigned, unsigned) { return 100; });
  const std::vector<float> features = heuristic.features(flat);
  MASH_CHECK_NEAR(features[0], 100, 1e-4);
  for (std::size_t i = 1; i < features.size(); ++i) MASH_CHECK_NEAR(features[i], 0, 1e-4);

  // Three white columns of nine; the negative has every difference with the other sign.
  const Picture edge(9, 9, [](unsigned x, unsigned) { return x < 3 ? 255 : 0; });
  const Picture negative(9, 9, [](unsigned x, unsigned) { return x < 3 ? 0 : 255; });
  const std::vector<float> found = heuristic.features(edge), turned = heuristic.features(negative);
  MASH_CHECK_NEAR(found[0], 85, 1e-4);
  MASH_CHECK_NEAR(turned[0], 170, 1e-4);
  int num_unequal = 0;
  for (std::size_t i = 1; i < found.size(); ++i) {
    MASH_CHECK_NEAR(turned[i], -found[i], 1e-3);
    num_unequal += std::abs(found[i]) > 1;
  }
  MASH_CHECK(num_unequal > 50);

  // A picture of 10 x 10 is seen without its last row and column: the largest centred square of odd side.
  const Picture wider(10, 10, [](unsigned x, unsigned y) { return x < 9 && y < 9 ? 100 : 0; });
  MASH_CHECK_NEAR(heuristic.features(wider)[0], 100, 1e-4);
  return result();
}
