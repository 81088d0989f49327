// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

#include "boxes.hpp"

using namespace Mash;

static unsigned int draw_below(unsigned int limit) { return (unsigned int)rand() % limit; }

class ClassicBoxes : public Heuristic {
 public:
  virtual void init() { boxes.draw(2 * roi_extent + 1, draw_below); }
  virtual unsigned int dim() { return Boxes::kNumFeatures; }
  virtual void prepareForCoordinates() {
    boxes.integrate(image->grayLines()[coordinates.y - roi_extent] + coordinates.x - roi_extent,
                    image->width());
  }
  virtual scalar_t computeFeature(unsigned int feature_index) { return boxes.feature(feature_index); }

 private:
  Boxes boxes;
};

extern "C" Heuristic* new_heuristic() { return new ClassicBoxes(); }
