// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  // 2 x 2 cells; 2 steps of each channel are 8 colours: black 0, blue 1, green 2, red 4, white 7.
  Tested heuristic({{"cells", 2}, {"steps", 2}});
  MASH_CHECK(heuristic.dim(8, 8) == 4 * 8);

  // Above red and blue, below black and white; one green pixel among the 16 of the red cell.
  const Picture picture(8, 8, [](unsigned x, unsigned y) {
    if (x == 1 && y == 2) return Colour{0, 255, 0};
    if (y < 4) return x < 4 ? Colour{255, 0, 0} : Colour{0, 0, 255};
    return x < 4 ? Colour{0, 0, 0} : Colour{255, 255, 255};
  });
  const std::map<std::size_t, double> expected = {
      {4, 15 / 16.0}, {2, 1 / 16.0}, {8 + 1, 1}, {16 + 0, 1}, {24 + 7, 1}};
  const std::vector<float> features = heuristic.features(picture);
  for (std::size_t i = 0; i < features.size(); ++i)
    MASH_CHECK_NEAR(features[i], expected.contains(i) ? expected.at(i) : 0, 1e-6);

  // 127 is in the lower half of 0 ... 255 and 128 in the upper one.
  Tested one_cell({{"cells", 1}, {"steps", 2}});
  const Picture grays(2, 1, [](unsigned x, unsigned) { return x == 0 ? 127 : 128; });
  MASH_CHECK_NEAR(one_cell.features(grays)[0], 0.5, 1e-6);
  MASH_CHECK_NEAR(one_cell.features(grays)[7], 0.5, 1e-6);
  return result();
}
