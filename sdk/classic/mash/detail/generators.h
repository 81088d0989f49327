/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_GENERATORS_H
#define MASH_CLASSIC_DETAIL_GENERATORS_H

#include <stdlib.h>
#include <string.h>

namespace Mash {
namespace sdk_detail {

/* The calls into a heuristic before which libc's generators are seeded. */
enum Call {
  kConstructor,
  kInit,
  kDim,
  kPrepareForSequence,
  kPrepareForImage,
  kPrepareForCoordinates,
  kComputeFeatures,
  kFinishForCoordinates,
  kFinishForImage,
  kFinishForSequence,
  kTerminate,
  kNumCalls
};

/* libc's generators, which are the process's, hence MASH_SERIAL. For the length of a call rand() works on a
 * state of ours, and draws what it draws after srand(seed). A call mostly gets the seed that it had for the
 * picture before, and most calls draw nothing: the state that srand made of the seed is kept for each, and
 * put back where it was touched, because that takes a hundredth of the time that srand does.
 *
 *   ( ( begin  the call  end )*  leave )* */
class Generators {
 public:
  Generators() : seeded_(), current_(0), outer_(0) {}

  void begin(Call call, unsigned int seed) {
    current_ = &seeded_[call];
    if (!current_->is_made || current_->seed != seed) make(*current_, seed);
    memcpy(state_, current_->state, sizeof state_);
    if (!outer_) outer_ = setstate(text(state_));
    srand48((long)seed);
  }

  /* Returns the seed of the next call: rand() after this one. */
  unsigned int end() {
    if (memcmp(state_, current_->state, sizeof state_) == 0) return current_->first;
    const unsigned int next = (unsigned int)rand();
    leave();
    return next;
  }

  /* Gives rand() back to the process. */
  void leave() {
    if (outer_) setstate(outer_);
    outer_ = 0;
  }

 private:
  typedef int State[32]; /* what srand uses: the additive generator of degree 31 */
  struct Seeded {
    bool is_made;
    unsigned int seed;
    unsigned int first; /* what rand() draws first */
    State state;        /* before that */
  };

  void make(Seeded& seeded, unsigned int seed) {
    leave();
    State state;
    char* const outer = initstate(seed, text(state), sizeof state);
    memcpy(seeded.state, state, sizeof state);
    seeded.first = (unsigned int)rand();
    setstate(outer);
    seeded.seed = seed;
    seeded.is_made = true;
  }

  static char* text(State& state) { return reinterpret_cast<char*>(state); }

  Seeded seeded_[kNumCalls];
  Seeded* current_;
  State state_;
  char* outer_; /* the process's state while ours is in use, or null */
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
