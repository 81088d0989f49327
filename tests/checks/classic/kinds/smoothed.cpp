// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Smooths its own picture in place, then takes pixels of it.
class Smoothed : public Heuristic {
 public:
  virtual unsigned int dim() { return 2 * roi_extent + 1; }
  virtual void prepareForImage() {
    for (unsigned int pass = 0; pass <= VARIANT; ++pass)
      for (unsigned int y = 0; y < image->height(); ++y)
        for (unsigned int x = 1; x < image->width(); ++x)
          image->grayLines()[y][x] = (byte_t)((image->grayLines()[y][x] + image->grayLines()[y][x - 1]) / 2);
  }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return image->grayLines()[coordinates.y][coordinates.x - roi_extent + feature_index];
  }
};

extern "C" Heuristic* new_heuristic() { return new Smoothed(); }
