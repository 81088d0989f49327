// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Takes a weight more than its table has.
static scalar_t weights[] = {1, 2, 1};
static scalar_t* volatile first = weights;

class Fault : public Heuristic {
 public:
  virtual unsigned int dim() { return 4; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    return first[feature_index] * image->grayBuffer()[0];
  }
};

extern "C" Heuristic* new_heuristic() { return new Fault(); }
