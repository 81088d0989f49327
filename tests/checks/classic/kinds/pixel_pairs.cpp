// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Differences of pairs of pixels that drand48() draws in init.
class PixelPairs : public Heuristic {
 public:
  virtual void init() {
    for (unsigned int i = 0; i < 4 * dim(); ++i)
      places.push_back((unsigned int)(drand48() * (2 * roi_extent + 1)));
  }
  virtual unsigned int dim() { return 20 + VARIANT; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    const unsigned int* place = &places[4 * feature_index];
    return pixel(place[0], place[1]) - pixel(place[2], place[3]);
  }

 private:
  scalar_t pixel(unsigned int x, unsigned int y) const {
    return image->grayLines()[coordinates.y - roi_extent + y][coordinates.x - roi_extent + x];
  }
  std::vector<unsigned int> places;
};

extern "C" Heuristic* new_heuristic() { return new PixelPairs(); }
