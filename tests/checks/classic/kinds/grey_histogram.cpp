// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// A histogram of the region, made in prepareForCoordinates.
class GreyHistogram : public Heuristic {
 public:
  virtual unsigned int dim() { return 4 + VARIANT; }
  virtual void prepareForCoordinates() {
    counts.assign(dim(), 0);
    for (unsigned int y = coordinates.y - roi_extent; y <= coordinates.y + roi_extent; ++y)
      for (unsigned int x = coordinates.x - roi_extent; x <= coordinates.x + roi_extent; ++x)
        ++counts[image->grayLines()[y][x] * dim() / 256];
  }
  virtual scalar_t computeFeature(unsigned int feature_index) { return counts[feature_index]; }

 private:
  std::vector<scalar_t> counts;
};

extern "C" Heuristic* new_heuristic() { return new GreyHistogram(); }
