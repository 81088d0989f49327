// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Weighs columns by their distance from the middle, in a table that init makes for the region's size.
class TableOfInit : public Heuristic {
 public:
  virtual void init() {
    for (unsigned int x = 0; x <= 2 * roi_extent; ++x)
      weights_.push_back(x < roi_extent ? (int)(roi_extent - x) : (int)(x - roi_extent));
  }
  virtual unsigned int dim() { return (unsigned int)weights_.size(); }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    const byte_t* line = image->grayLines()[coordinates.y - roi_extent + feature_index];
    int sum = 0;
    for (unsigned int x = 0; x < weights_.size(); ++x)
      sum += weights_[x] * line[coordinates.x - roi_extent + x];
    return (scalar_t)sum;
  }

 private:
  std::vector<int> weights_;
};

extern "C" Heuristic* new_heuristic() { return new TableOfInit(); }
