// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// The mean of the region's grey values, and the red of its first pixel, as source for the classic SDK was
// written.
class BoxMean : public Heuristic {
 public:
  virtual unsigned int dim() { return 2; }

  virtual scalar_t computeFeature(unsigned int feature_index) {
    const unsigned int x0 = coordinates.x - roi_extent;
    const unsigned int y0 = coordinates.y - roi_extent;
    const unsigned int side = 2 * roi_extent + 1;
    if (feature_index == 1) return image->rgbLines()[y0][x0].r;
    scalar_t sum = 0;
    for (unsigned int y = y0; y < y0 + side; ++y)
      for (unsigned int x = x0; x < x0 + side; ++x) sum += image->grayLines()[y][x];
    const div_t area = div(side * side, 1u);
    return sum / area.quot;
  }
};

extern "C" Heuristic* new_heuristic() { return new BoxMean(); }
