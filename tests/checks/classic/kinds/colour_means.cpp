// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Means of red, green and blue in strips.
class ColourMeans : public Heuristic {
 public:
  virtual unsigned int dim() { return 3 * (1 + VARIANT); }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    const unsigned int side = 2 * roi_extent + 1, strip = feature_index / 3;
    const unsigned int begin = strip * side / (1 + VARIANT), end = (strip + 1) * side / (1 + VARIANT);
    scalar_t sum = 0;
    for (unsigned int y = begin; y < end; ++y) {
      const RGBPixel_t* line = image->rgbLines()[coordinates.y - roi_extent + y];
      for (unsigned int x = coordinates.x - roi_extent; x <= coordinates.x + roi_extent; ++x)
        sum += feature_index % 3 == 0 ? line[x].r : feature_index % 3 == 1 ? line[x].g : line[x].b;
    }
    const div_t half = div(end - begin, 2u);
    return sum / (scalar_t)(1 + half.quot * side);
  }
};

extern "C" Heuristic* new_heuristic() { return new ColourMeans(); }
