// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Looks beyond its region: at the first pixels of the picture.
class Corner : public Heuristic {
 public:
  virtual unsigned int dim() { return 3 + VARIANT; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return image->grayBuffer()[feature_index % (image->width() * image->height())];
  }
};

extern "C" Heuristic* new_heuristic() { return new Corner(); }
