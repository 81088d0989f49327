// SPDX-License-Identifier: Apache-2.0
#include <mash/testing.hpp>

using namespace mash::testing;

// Everything but the listed features is 0.
void expect_only(const std::vector<float>& found, const std::map<std::size_t, double>& expected) {
  for (std::size_t i = 0; i < found.size(); ++i)
    MASH_CHECK_NEAR(found[i], expected.contains(i) ? expected.at(i) : 0, 1e-3);
}

int main() {
  // Features 0 to 4: u = 0 ... 4 of v = 0; from 5 on u = -4 ... 4 of v = 1, and so on.
  Tested heuristic({{"highest", 4}});
  MASH_CHECK(heuristic.dim(8, 8) == 5 + 4 * 9);

  // Frequency (0, 0) is the mean.
  const Picture flat(8, 8, [](unsigned, unsigned) { return 100; });
  expect_only(heuristic.features(flat), {{0, 100}});

  // Columns that are white and black in turn: 127.5 +- 127.5, which is 4 waves across and none down.
  const Picture stripes(8, 8, [](unsigned x, unsigned) { return x % 2 == 0 ? 255 : 0; });
  expect_only(heuristic.features(stripes), {{0, 127.5}, {4, 127.5}});

  // Rows white, grey, black, grey in turn: 100 + 100 cos, two waves down; a cosine is two halves, at v = 2
  // and at v = -2. (0, 2) is in the middle of the second nine.
  const Picture rows(8, 8, [](unsigned, unsigned y) { return y % 4 == 0 ? 200 : y % 4 == 2 ? 0 : 100; });
  expect_only(heuristic.features(rows), {{0, 100}, {5 + 9 + 4, 50}});

  // The same wave down to the right: 2 across and 2 down, not 2 against it (that would be 5 + 9 + 2).
  const Picture slanted(8, 8, [](unsigned x, unsigned y) {
    return (x + y) % 4 == 0 ? 200 : (x + y) % 4 == 2 ? 0 : 100;
  });
  expect_only(heuristic.features(slanted), {{0, 100}, {5 + 9 + 6, 50}});

  // Shifted around the border, magnitudes stay.
  const Picture shifted(8, 8, [](unsigned, unsigned y) { return y % 4 == 1 ? 200 : y % 4 == 3 ? 0 : 100; });
  expect_only(heuristic.features(shifted), {{0, 100}, {5 + 9 + 4, 50}});
  return result();
}
