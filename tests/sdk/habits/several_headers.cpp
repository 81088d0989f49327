// SPDX-License-Identifier: Apache-2.0
#include "corners.h"
#include "sums.h"

// The sum of the region's first line, and its corners: of two headers, through which MASH's own come.
class SeveralHeaders : public Mash::Heuristic {
 public:
  virtual unsigned int dim() { return 1 + num_corners; }
  virtual Mash::scalar_t computeFeature(unsigned int feature_index) {
    return feature_index == 0 ? (Mash::scalar_t)sum_of_line(*image, 0, 2 * roi_extent + 1)
                              : corner_of(*image, feature_index - 1);
  }
};

extern "C" Mash::Heuristic* new_heuristic() { return new SeveralHeaders(); }
