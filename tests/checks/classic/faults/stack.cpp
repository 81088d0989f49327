// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Counts 256 grey values in an array for 255.
class Fault : public Heuristic {
 public:
  virtual unsigned int dim() { return 1; }
  virtual scalar_t computeFeature(unsigned int) {
    unsigned int counts[255] = {0};
    unsigned int* volatile place = counts;
    for (unsigned int value = 0; value <= 255; ++value)
      place[value] += image->grayBuffer()[value % image->width()];
    return (scalar_t)counts[7];
  }
};

extern "C" Heuristic* new_heuristic() { return new Fault(); }
