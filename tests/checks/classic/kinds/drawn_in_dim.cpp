// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// The number of its features is drawn, and the pixels in dim().
class DrawnInDim : public Heuristic {
 public:
  virtual unsigned int dim() {
    if (places.empty())
      for (unsigned int i = 0; i < 10 + VARIANT; ++i)
        places.push_back((unsigned int)rand() % (2 * roi_extent + 1));
    return (unsigned int)places.size();
  }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return image->grayLines()[coordinates.y][coordinates.x - roi_extent + places[feature_index]];
  }

 private:
  std::vector<unsigned int> places;
};

extern "C" Heuristic* new_heuristic() { return new DrawnInDim(); }
