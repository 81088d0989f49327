// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  Tested heuristic({{"cell", 8}, {"bins", 4}});
  MASH_CHECK(heuristic.dim(16, 16) == 2 * 2 * 4);

  // Black on the left, white on the right: each cell has one column of 8 pixels on the edge, each with the
  // gradient (255, 0). All votes are for orientation 0, which is 8 * 255 = 2040 before normalisation.
  const Picture upright(16, 16, [](unsigned x, unsigned) { return x < 8 ? 0 : 255; });
  const std::vector<float> features = heuristic.features(upright);
  for (std::size_t i = 0; i < features.size(); ++i)
    MASH_CHECK_NEAR(features[i], i % 4 == 0 ? 2040 / std::sqrt(2040.0 * 2040 + 100) : 0, 1e-5);

  // The same lying down: orientation 2 of 4, which is 90 degrees. Upside down it is the same orientation.
  const Picture lying(16, 16, [](unsigned, unsigned y) { return y < 8 ? 0 : 255; });
  const Picture turned(16, 16, [](unsigned, unsigned y) { return y < 8 ? 255 : 0; });
  for (const Picture* picture : {&lying, &turned}) {
    const std::vector<float> found = heuristic.features(*picture);
    for (std::size_t i = 0; i < found.size(); ++i) MASH_CHECK_NEAR(found[i], i % 4 == 2 ? 1 : 0, 1e-4);
  }

  // A slope of 3 to the right and 3 down points to 45 degrees, orientation 1 of 4: in the middle cell of
  // 24 x 24, which knows no border, 64 gradients of length 6 * sqrt(2).
  const Picture slope(24, 24, [](unsigned x, unsigned y) { return int(3 * x + 3 * y); });
  const std::vector<float> middle = heuristic.features(slope);
  for (std::size_t bin = 0; bin < 4; ++bin) MASH_CHECK_NEAR(middle[4 * 4 + bin], bin == 1 ? 1 : 0, 1e-3);

  const Picture flat(16, 16, [](unsigned, unsigned) { return 100; });
  for (const float value : heuristic.features(flat)) MASH_CHECK_NEAR(value, 0, 0);
  return result();
}
