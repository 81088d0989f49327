// SPDX-License-Identifier: Apache-2.0
// A classic heuristic that does one misdeed in one of its calls; which, another file says. What was not let
// is told in its features: 1 where it was, 0 where it was not; a call without features to tell it in aborts
// where it was.
extern "C" const int misdeed, call;
extern "C" const char classic_id[];
#define MASH_CLASSIC_ID classic_id
#include <mash/heuristic.h>

#include <utility>

#include "tests/hostile/misbehave.hpp"

namespace {

enum Call {
  kConstructor,
  kInit,
  kDim,
  kPrepareForSequence,
  kPrepareForImage,
  kPrepareForCoordinates,
  kComputeFeature,
  kFinishForCoordinates,
  kFinishForImage,
  kFinishForSequence,
  kTerminate,
  kDestructor
};

class Hostile : public Mash::Heuristic {
 public:
  Hostile() { comes_to(kConstructor); }
  virtual ~Hostile() { comes_to(kDestructor); }
  virtual void init() { comes_to(kInit); }
  virtual void terminate() { comes_to(kTerminate); }
  virtual unsigned int dim() {
    comes_to(kDim);
    return 4;
  }
  virtual void prepareForSequence() { comes_to(kPrepareForSequence); }
  virtual void finishForSequence() { comes_to(kFinishForSequence); }
  virtual void prepareForImage() { comes_to(kPrepareForImage); }
  virtual void finishForImage() { comes_to(kFinishForImage); }
  virtual void prepareForCoordinates() { comes_to(kPrepareForCoordinates); }
  virtual void finishForCoordinates() { comes_to(kFinishForCoordinates); }
  virtual Mash::scalar_t computeFeature(unsigned int) {
    comes_to(kComputeFeature);
    return feature_after(Misdeed(misdeed), was_let_);
  }

 private:
  void comes_to(Call now) {
    if (now != call || std::exchange(is_done_, true)) return;
    was_let_ = misbehave(Misdeed(misdeed));
    if (was_let_ && now > kComputeFeature) std::abort();
  }

  bool is_done_ = false, was_let_ = false;
};

}  // namespace

extern "C" Mash::Heuristic* new_heuristic() { return new Hostile(); }
