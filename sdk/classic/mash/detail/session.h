/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_SESSION_H
#define MASH_CLASSIC_DETAIL_SESSION_H

#include <stdlib.h>

#include <new>

#include "../heuristic.h"

namespace Mash {
namespace sdk_detail {

/* Seeds libc's generators for one call into a heuristic. The generators are the process's, hence MASH_SERIAL.
 */
inline void seed_generators(unsigned int seed) {
  srand(seed);
  srand48((long)seed);
}

/* One heuristic object, for views of one size: roi_extent is fixed before init, and so is the object.
 *
 * Seeds: each virtual call is preceded by seeding libc's generators, and rand() after the call is the seed of
 * the next, as in the original. Two points differ, because there features depended on the images and calls
 * before: every view starts again from the seed that init left, and computeFeature(i) is always seeded with
 * the seed that prepareForCoordinates left plus i. The original asked for the features of a single picture in
 * order, so what init draws, and all that most heuristics draw, is the same as there. */
class Session {
 public:
  Session(unsigned int roi_extent, unsigned int seed) : heuristic_(0), after_init_(seed), seed_(seed) {
    seed_generators(seed_);
    heuristic_ = new_heuristic();
    if (!heuristic_) throw std::bad_alloc();
    heuristic_->nb_views = 1;
    heuristic_->roi_extent = roi_extent;
    try {
      call(&Heuristic::init);
    } catch (...) {
      end();
      throw;
    }
    after_init_ = seed_;
  }

  ~Session() {
    try {
      call(&Heuristic::terminate);
    } catch (...) {
      /* The original never called terminate, so some do not survive it. */
    }
    end();
  }

  unsigned int dim() {
    seed_generators(after_init_);
    return heuristic_->dim();
  }

  /* Looks at a picture, a sequence of one, whose region of interest is all of it. Takes the picture. */
  void prepare(Image* image) {
    release_image();
    heuristic_->image = image;
    seed_ = after_init_;
    call(&Heuristic::prepareForSequence);
    call(&Heuristic::prepareForImage);
    heuristic_->coordinates.x = heuristic_->coordinates.y = heuristic_->roi_extent;
    call(&Heuristic::prepareForCoordinates);
  }

  scalar_t compute(unsigned int feature_idx) {
    seed_generators(seed_ + feature_idx);
    return heuristic_->computeFeature(feature_idx);
  }

  void finish() {
    call(&Heuristic::finishForCoordinates);
    call(&Heuristic::finishForImage);
    call(&Heuristic::finishForSequence);
    release_image();
  }

 private:
  Session(const Session&);
  Session& operator=(const Session&);

  void call(void (Heuristic::*function)()) {
    seed_generators(seed_);
    (heuristic_->*function)();
    seed_ = (unsigned int)rand();
  }

  void release_image() {
    delete heuristic_->image;
    heuristic_->image = 0;
  }

  void end() {
    release_image();
    delete heuristic_;
  }

  Heuristic* heuristic_;
  unsigned int after_init_; /* the seed that init left */
  unsigned int seed_;       /* of the next call */
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
