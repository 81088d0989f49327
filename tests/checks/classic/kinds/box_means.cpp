// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Means of boxes that rand() draws in init.
class BoxMeans : public Heuristic {
 public:
  virtual void init() {
    const unsigned int side = 2 * roi_extent + 1;
    for (unsigned int i = 0; i < dim(); ++i) {
      const unsigned int x = (unsigned int)rand() % side, y = (unsigned int)rand() % side;
      const unsigned int box[4] = {x, y, x + 1 + (unsigned int)rand() % (side - x),
                                   y + 1 + (unsigned int)rand() % (side - y)};
      boxes.push_back(std::vector<unsigned int>(box, box + 4));
    }
  }
  virtual unsigned int dim() { return 10 + VARIANT; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    const std::vector<unsigned int>& box = boxes[feature_index];
    const unsigned int left = coordinates.x - roi_extent, top = coordinates.y - roi_extent;
    scalar_t sum = 0;
    for (unsigned int y = box[1]; y < box[3]; ++y)
      for (unsigned int x = box[0]; x < box[2]; ++x) sum += image->grayLines()[top + y][left + x];
    return sum / (scalar_t)((box[2] - box[0]) * (box[3] - box[1]));
  }

 private:
  std::vector<std::vector<unsigned int> > boxes;
};

extern "C" Heuristic* new_heuristic() { return new BoxMeans(); }
