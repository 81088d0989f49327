// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Wants a region of more than ten pixels, and memory without end for a smaller one.
class LargeOnly : public Heuristic {
 public:
  virtual void init() { weights.assign((size_t)roi_extent - 5 - VARIANT % 2, 1.0f); }
  virtual unsigned int dim() { return 3; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    scalar_t sum = 0;
    for (size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * image->grayLines()[coordinates.y][coordinates.x + i] *
             (scalar_t)(feature_index + VARIANT);
    return sum;
  }

 private:
  std::vector<scalar_t> weights;
};

extern "C" Heuristic* new_heuristic() { return new LargeOnly(); }
