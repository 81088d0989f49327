// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// A contrast, which is 0 / 0 where the picture is flat.
class Contrast : public Heuristic {
 public:
  virtual unsigned int dim() { return 1 + VARIANT; }
  virtual scalar_t computeFeature(unsigned int feature_index) {
    const byte_t* line = image->grayLines()[coordinates.y];
    scalar_t most = 0, least = 255;
    for (unsigned int x = coordinates.x - roi_extent; x <= coordinates.x + roi_extent; ++x) {
      if (line[x] > most) most = line[x];
      if (line[x] < least) least = line[x];
    }
    return (line[coordinates.x] - least) / (most - least) * (scalar_t)(feature_index + 1);
  }
};

extern "C" Heuristic* new_heuristic() { return new Contrast(); }
