// SPDX-License-Identifier: Apache-2.0
// The contract of any heuristic. Add to it pictures that are small enough to work the
// features out by hand, such as MASH_CHECK_NEAR(heuristic.features(picture)[0], 127.5, 1e-4).
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  Tested heuristic;
  const Picture black(28, 28, [](unsigned, unsigned) { return 0; });
  // A slope behind a white ring and a white bar.
  const Picture drawn(28, 28, [](unsigned x, unsigned y) {
    const int dx = int(x) - 10, dy = int(y) - 12, distance = dx * dx + dy * dy;
    const bool is_white = (distance >= 16 && distance < 49) || (x >= 21 && x < 24 && y >= 4 && y < 22);
    return is_white ? 255 : int(2 * x + 3 * y);
  });
  const Picture coloured(28, 28, [](unsigned x, unsigned y) {
    return Colour{int(9 * x), int(9 * y), int(x * y * 7 % 256)};
  });
  for (const Picture* picture : {&black, &drawn, &coloured}) check_contract(heuristic, *picture);
  MASH_CHECK(heuristic.features(drawn) != heuristic.features(black));
  return result();
}
