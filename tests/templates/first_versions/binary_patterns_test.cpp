// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  Tested heuristic({{"cell", 8}});
  MASH_CHECK(heuristic.dim(16, 8) == 2 * 59);

  // On a flat picture every neighbour is as bright as the pixel: code 11111111, the last of the 58.
  const Picture flat(16, 8, [](unsigned, unsigned) { return 100; });
  const std::vector<float> features = heuristic.features(flat);
  for (std::size_t i = 0; i < features.size(); ++i) MASH_CHECK_NEAR(features[i], i % 59 == 57 ? 1 : 0, 1e-6);

  // A bright dot in the left cell: it alone has darker neighbours all around, code 00000000, the first.
  const Picture dot(16, 8, [](unsigned x, unsigned y) { return x == 3 && y == 4 ? 200 : 100; });
  const std::vector<float> spotted = heuristic.features(dot);
  MASH_CHECK_NEAR(spotted[0], 1 / 64.0, 1e-6);
  MASH_CHECK_NEAR(spotted[57], 63 / 64.0, 1e-6);
  MASH_CHECK_NEAR(spotted[59 + 57], 1, 1e-6);

  // A dark dot: seen from each of its 8 neighbours one bit is missing, which makes 8 different codes.
  const Picture hole(16, 8, [](unsigned x, unsigned y) { return x == 3 && y == 4 ? 0 : 100; });
  const std::vector<float> holed = heuristic.features(hole);
  int num_codes = 0;
  for (std::size_t bin = 0; bin < 57; ++bin) {
    if (holed[bin] == 0) continue;
    ++num_codes;
    MASH_CHECK_NEAR(holed[bin], 1 / 64.0, 1e-6);
  }
  MASH_CHECK(num_codes == 8);
  MASH_CHECK_NEAR(holed[57], 56 / 64.0, 1e-6);

  // Noise: the pixel's neighbours are brighter and darker in turn, 8 changes around the circle.
  const Picture star(8, 8, [](unsigned x, unsigned y) { return x == 4 && y == 4 ? 100 : (x + y) % 2 * 200; });
  MASH_CHECK(heuristic.features(star)[58] >= 1 / 64.f);
  return result();
}
