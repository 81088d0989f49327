// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Gives 0 / 0 at every size, and crashes in init at small ones.
class Fault : public Heuristic {
 public:
  virtual unsigned int dim() { return 1; }
  virtual void init() {
    if (roi_extent < 5) abort();
  }
  virtual scalar_t computeFeature(unsigned int) {
    const scalar_t zero = image->grayBuffer()[0] * 0.0f;
    return zero / zero;
  }
};

extern "C" Heuristic* new_heuristic() { return new Fault(); }
