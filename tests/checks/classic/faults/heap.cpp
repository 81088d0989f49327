// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Reads past the end of an integral image of its own.
class Fault : public Heuristic {
 public:
  virtual unsigned int dim() { return 1; }
  virtual void prepareForImage() { sums.assign(image->width() * image->height(), 1); }
  virtual scalar_t computeFeature(unsigned int) {
    const unsigned int* row = &sums[0];
    return (scalar_t)row[image->width() * image->height()];
  }

 private:
  std::vector<unsigned int> sums;
};

extern "C" Heuristic* new_heuristic() { return new Fault(); }
