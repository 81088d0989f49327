// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Throws what is no exception of the standard library, at every picture.
class Throws : public Heuristic {
 public:
  virtual unsigned int dim() { return 1 + VARIANT; }
  virtual void prepareForImage() { throw VARIANT; }
  virtual scalar_t computeFeature(unsigned int) { return 0; }
};

extern "C" Heuristic* new_heuristic() { return new Throws(); }
