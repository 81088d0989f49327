// SPDX-License-Identifier: Apache-2.0
#include <mash/simple_heuristic_container.h>

using namespace Mash;

static int num_alive = 0;

// Holds memory from init to terminate, as source of its day does.
class Held : public ISimpleHeuristic {
 public:
  Held() : sums_(0) { count(1); }
  virtual ~Held() { count(-1); }
  virtual unsigned int dim() { return 1; }
  virtual void init() { sums_ = new unsigned int[256]; }
  virtual void terminate() { delete[] sums_; }
  virtual void computeFeatures(unsigned int, Image** images, scalar_t* features) {
    for (unsigned int i = 0; i < 256; ++i) sums_[i] = images[0]->grayBuffer()[0];
    features[0] = (scalar_t)sums_[255];
  }

 private:
  static void count(int change) {
    num_alive += change;
    setenv("MASH_TEST_ALIVE", num_alive ? "some" : "none", 1);
  }

  unsigned int* sums_;
};

// Ends in another way for each size of the region.
class Container : public SimpleHeuristicContainer {
 public:
  Container() { _pSimpleHeuristic = new Held(); }
  virtual void terminate() {
    _pSimpleHeuristic->terminate();
    if (roi_extent == 1) SimpleHeuristicContainer::terminate();  // the usual way
    if (roi_extent == 2) {
      delete _pSimpleHeuristic;
      _pSimpleHeuristic = 0;
    }
    // Otherwise it leaves the object to the destructor.
  }
};

extern "C" Heuristic* new_heuristic() { return new Container(); }
