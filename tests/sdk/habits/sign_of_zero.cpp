// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Nothing, with the sign of the contrast to a middle grey: what is divided by it later tells the two apart.
class SignOfZero : public Heuristic {
 public:
  virtual unsigned int dim() { return 2 * roi_extent + 1; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return 0.0f * (scalar_t)((int)image->grayLines()[0][feature_index] - 128);
  }
};

extern "C" Heuristic* new_heuristic() { return new SignOfZero(); }
