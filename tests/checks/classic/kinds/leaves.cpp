// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Ends its process.
class Leaves : public Heuristic {
 public:
  virtual unsigned int dim() { return 1 + VARIANT; }
  virtual scalar_t computeFeature(unsigned int) { exit(0); }
};

extern "C" Heuristic* new_heuristic() { return new Leaves(); }
