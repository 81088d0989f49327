/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_SESSION_H
#define MASH_CLASSIC_DETAIL_SESSION_H

#include <new>

#include "../heuristic.h"
#include "generators.h"
#include "mash/abi/sequence.h"

namespace Mash {
namespace sdk_detail {

/* One heuristic object, for regions of one size: roi_extent is fixed before init, and so is the object.
 *
 * Seeds: each call is preceded by seeding libc's generators, and rand() after the call is the seed of the
 * next, as in the original; all features that are asked for at once are one call. One point differs, because
 * there the seed of a call depended on the number of calls before: every sequence starts again from the seed
 * that dim left, and every picture from the one that prepareForSequence left. */
class Session {
 public:
  Session(unsigned int roi_extent, unsigned int num_views, unsigned int seed)
      : heuristic_(0),
        dim_(0),
        is_in_sequence_(false),
        is_last_(true),
        seed_(seed),
        sequence_seed_(0),
        image_seed_(0),
        position_seed_(0) {
    const Visit visit(generators_);
    {
      Seeding seeding(*this, kConstructor);
      heuristic_ = new_heuristic();
    }
    if (!heuristic_) throw std::bad_alloc();
    seed_ = seed;
    heuristic_->nb_views = num_views;
    heuristic_->roi_extent = roi_extent;
    try {
      call(kInit, &Heuristic::init);
      Seeding seeding(*this, kDim);
      dim_ = heuristic_->dim();
    } catch (...) {
      delete heuristic_;
      throw;
    }
    sequence_seed_ = seed_;
  }

  ~Session() {
    const Visit visit(generators_);
    try {
      finish_sequence();
      call(kTerminate, &Heuristic::terminate);
    } catch (...) {
      /* The original never called terminate, so some do not survive it. */
    }
    delete heuristic_;
  }

  unsigned int roi_extent() const { return heuristic_->roi_extent; }
  unsigned int dim() const { return dim_; }

  /* Looks at a picture, which stays the caller's: of the sequence that it was shown before, or of a new one.
   */
  void prepare(Image* image, const coordinates_t& center, const mash_frame_t& frame) {
    const Visit visit(generators_);
    if (frame.num_before == 0 || !is_in_sequence_) {
      finish_sequence();
      seed_ = sequence_seed_;
      is_in_sequence_ = true;
      call(kPrepareForSequence, &Heuristic::prepareForSequence);
      image_seed_ = seed_;
    }
    is_last_ = frame.is_last != 0;
    seed_ = image_seed_;
    image->setView(frame.camera);
    heuristic_->image = image;
    call(kPrepareForImage, &Heuristic::prepareForImage);
    heuristic_->coordinates = center;
    call(kPrepareForCoordinates, &Heuristic::prepareForCoordinates);
    position_seed_ = seed_;
  }

  /* Features of the position; all where `indices` is null. */
  template <class Index>
  void compute(const Index* indices, unsigned int num_features, scalar_t* out) {
    const Visit visit(generators_);
    seed_ = position_seed_;
    Seeding seeding(*this, kComputeFeatures);
    Heuristic& heuristic = *heuristic_;
    if (indices)
      for (unsigned int i = 0; i < num_features; ++i) out[i] = heuristic.computeFeature(indices[i]);
    else
      for (unsigned int i = 0; i < num_features; ++i) out[i] = heuristic.computeFeature(i);
  }

  void finish() {
    const Visit visit(generators_);
    call(kFinishForCoordinates, &Heuristic::finishForCoordinates);
    call(kFinishForImage, &Heuristic::finishForImage);
    heuristic_->image = 0;
    if (is_last_) finish_sequence();
  }

 private:
  /* For the length of several calls, after which rand() is the process's again. */
  class Visit {
   public:
    explicit Visit(Generators& generators) : generators_(generators) {}
    ~Visit() { generators_.leave(); }

   private:
    Generators& generators_;
  };

  /* For the length of a call: the generators are seeded, and afterwards the next seed is known. */
  class Seeding {
   public:
    Seeding(Session& session, Call call) : session_(session) {
      session.generators_.begin(call, session.seed_);
    }
    ~Seeding() { session_.seed_ = session_.generators_.end(); }

   private:
    Session& session_;
  };

  Session(const Session&);
  Session& operator=(const Session&);

  void call(Call call, void (Heuristic::*function)()) {
    Seeding seeding(*this, call);
    (heuristic_->*function)();
  }

  void finish_sequence() {
    if (!is_in_sequence_) return;
    is_in_sequence_ = false;
    try {
      call(kFinishForSequence, &Heuristic::finishForSequence);
    } catch (...) {
      /* The next sequence starts afresh after any failure here. */
    }
  }

  Heuristic* heuristic_;
  unsigned int dim_;
  bool is_in_sequence_;
  bool is_last_;               /* whether the picture is the sequence's last */
  unsigned int seed_;          /* of the next call */
  unsigned int sequence_seed_; /* that dim left: of each sequence */
  unsigned int image_seed_;    /* that prepareForSequence left: of each picture */
  unsigned int position_seed_; /* that prepareForCoordinates left: of all features asked for at once */
  Generators generators_;
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
