// SPDX-License-Identifier: Apache-2.0
// A program that is built with the address sanitizer, and shows a container heuristic pictures: nothing may
// be freed twice, used after it was freed, or left behind at the end.
#include <mash/testing.hpp>

using namespace mash::testing;

int main() {
  const Picture picture(9, 7, [](unsigned x, unsigned y) { return int(7 + x * y); });
  for (const unsigned extent : {1u, 2u, 3u}) {
    Tested container({{"extent", double(extent)}});
    MASH_CHECK(container.dim(9, 7) == 1);
    for (int i = 0; i < 60; ++i) MASH_CHECK(container.features(picture)[0] == 7);
  }
  return result();
}
