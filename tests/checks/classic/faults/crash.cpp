// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Follows a null pointer in prepareForCoordinates.
class Fault : public Heuristic {
 public:
  Fault() : line(0) {}
  virtual unsigned int dim() { return 1; }
  virtual void prepareForCoordinates() { line[0] = image->grayBuffer()[0]; }
  virtual scalar_t computeFeature(unsigned int) { return line[0]; }

 private:
  byte_t* line;
};

extern "C" Heuristic* new_heuristic() { return new Fault(); }
