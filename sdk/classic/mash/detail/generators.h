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
 * picture before: the state that srand made of it is kept for each, because to copy 128 bytes takes a
 * hundredth of the time that srand does. */
class Generators {
 public:
  Generators() : outer_(0) {
    for (int i = 0; i < kNumCalls; ++i) seeded_[i].is_made = false;
  }

  void begin(Call call, unsigned int seed) {
    Seeded& seeded = seeded_[call];
    if (!seeded.is_made || seeded.seed != seed) {
      setstate(initstate(seed, text(seeded.state), sizeof seeded.state));
      seeded.seed = seed;
      seeded.is_made = true;
    }
    memcpy(state_, seeded.state, sizeof state_);
    outer_ = setstate(text(state_));
    srand48((long)seed);
  }

  /* Gives rand() back to the process. Returns the seed of the next call. */
  unsigned int end() {
    const unsigned int next = (unsigned int)rand();
    setstate(outer_);
    return next;
  }

 private:
  typedef int State[32]; /* what srand uses: the additive generator of degree 31 */
  struct Seeded {
    bool is_made;
    unsigned int seed;
    State state; /* right after seeding */
  };

  static char* text(State& state) { return reinterpret_cast<char*>(state); }

  Seeded seeded_[kNumCalls];
  State state_;
  char* outer_;
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
