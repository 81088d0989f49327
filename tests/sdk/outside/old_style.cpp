// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

#include <complex>

using namespace Mash;

// Valid as GNU C++98 only: a static constant that is not integral, and a part of a complex number as an
// lvalue.
class OldStyle : public Heuristic {
 public:
  static const double kScale = 0.5;

  virtual unsigned int dim() { return 1; }

  virtual scalar_t computeFeature(unsigned int) {
    std::complex<double> z(0, 0);
    z.real() = image->grayBuffer()[0];
    return (scalar_t)(kScale * z.real());
  }
};

extern "C" Heuristic* new_heuristic() { return new OldStyle(); }
