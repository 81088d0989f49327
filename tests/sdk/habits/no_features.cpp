// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Halves its region, and has no feature where that does not come out even.
class NoFeatures : public Heuristic {
 public:
  virtual unsigned int dim() { return roi_extent % 2 == 0 ? roi_extent / 2 : 0; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return image->grayLines()[coordinates.y][coordinates.x + feature_index];
  }
};

extern "C" Heuristic* new_heuristic() { return new NoFeatures(); }
