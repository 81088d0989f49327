// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>
#include <math.h>

using namespace Mash;

// Directions of the gradients inside the region.
class EdgeDirections : public Heuristic {
 public:
  virtual unsigned int dim() { return 4 + VARIANT; }
  virtual void prepareForCoordinates() {
    sums.assign(dim(), 0);
    for (unsigned int y = coordinates.y - roi_extent + 1; y < coordinates.y + roi_extent; ++y)
      for (unsigned int x = coordinates.x - roi_extent + 1; x < coordinates.x + roi_extent; ++x) {
        const double dx = image->grayLines()[y][x + 1] - image->grayLines()[y][x - 1];
        const double dy = image->grayLines()[y + 1][x] - image->grayLines()[y - 1][x];
        const unsigned int bin = (unsigned int)((atan2(dy, dx) + M_PI) / (2 * M_PI) * dim());
        sums[bin < dim() ? bin : 0] += (scalar_t)sqrt(dx * dx + dy * dy);
      }
  }
  virtual scalar_t computeFeature(unsigned int feature_index) { return sums[feature_index]; }

 private:
  std::vector<scalar_t> sums;
};

extern "C" Heuristic* new_heuristic() { return new EdgeDirections(); }
