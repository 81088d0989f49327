// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Follows a null pointer at the second picture.
class Crash : public Heuristic {
 public:
  Crash() : num_pictures(0) {}
  virtual unsigned int dim() { return 2 + VARIANT; }
  virtual void prepareForImage() { ++num_pictures; }
  virtual scalar_t computeFeature(unsigned int) {
    const byte_t* volatile line = num_pictures > 1 ? 0 : image->grayBuffer();
    return line[0];
  }

 private:
  unsigned int num_pictures;
};

extern "C" Heuristic* new_heuristic() { return new Crash(); }
