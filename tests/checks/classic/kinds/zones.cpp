// SPDX-License-Identifier: Apache-2.0
#include <mash/simple_heuristic_container.h>

using namespace Mash;

// Mean and deviation of zones, by the container for heuristics of whole pictures.
class Zones : public ISimpleHeuristic {
 public:
  Zones() : sums(0) {}
  virtual void init() {
    sums = new double[dim()];
    logger << "zones: " << kPerSide << std::endl;
  }
  virtual unsigned int dim() { return kPerSide * kPerSide; }
  virtual void terminate() { delete[] sums; }
  virtual void computeFeatures(unsigned int, Image** images, scalar_t* features) {
    std::fill(sums, sums + dim(), 0.0);
    const unsigned int width = images[0]->width(), height = images[0]->height();
    for (unsigned int y = 0; y < height; ++y)
      for (unsigned int x = 0; x < width; ++x)
        sums[y * kPerSide / height * kPerSide + x * kPerSide / width] += images[0]->grayLines()[y][x];
    for (unsigned int i = 0; i < dim(); ++i)
      features[i] = (scalar_t)(sums[i] * (1 + VARIANT) / (width * height));
  }

 private:
  enum { kPerSide = 3 };
  double* sums;
};

class Container : public SimpleHeuristicContainer {
 public:
  virtual void init() {
    _pSimpleHeuristic = new Zones();
    SimpleHeuristicContainer::init();
  }
  virtual void terminate() {
    _pSimpleHeuristic->terminate();
    SimpleHeuristicContainer::terminate();
  }
};

extern "C" Heuristic* new_heuristic() { return new Container(); }
