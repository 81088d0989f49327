// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

Mash::scalar_t classic_part(const Mash::Image& image);

class TwoFiles : public Mash::Heuristic {
 public:
  virtual unsigned int dim() { return 1; }
  virtual Mash::scalar_t computeFeature(unsigned int) { return classic_part(*image); }
};

extern "C" Mash::Heuristic* new_heuristic() { return new TwoFiles(); }
