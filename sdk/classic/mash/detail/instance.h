/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_INSTANCE_H
#define MASH_CLASSIC_DETAIL_INSTANCE_H

#include <map>

#include "mash/abi/sequence.h"
#include "picture.h"
#include "session.h"

namespace Mash {
namespace sdk_detail {

/* The view sizes for which a heuristic has no features. */
struct Unsupported {
  explicit Unsupported(const char* text) : why(text) {}
  const char* why;
};

/* Behind mash_instance_t: a session for each size of the region of interest that was met. */
class Instance {
 public:
  Instance(const mash_host_t* host, const double* values)
      : host_(host),
        frames_(static_cast<const mash_frames_t*>(host->get_extension(host->context, MASH_SEQUENCE))),
        seed_((unsigned int)values[0]),
        fit_((Fit)(int)values[1]),
        extent_((unsigned int)values[2]),
        current_(0) {}

  ~Instance() {
    for (Sessions::iterator i = sessions_.begin(); i != sessions_.end(); ++i) delete i->second;
  }

  const mash_host_t* host() const { return host_; }

  unsigned int dim(const mash_size_t& size) {
    const unsigned int dim = session(extent_of(size)).dim();
    if (dim == 0) throw Unsupported("it has no features for a region of this size");
    return dim;
  }

  void prepare(const mash_image_t& image, const mash_view_t& view) {
    const mash_size_t size = {view.width, view.height};
    Session& next = session(extent_of(size));
    const unsigned int extent = next.roi_extent(), side = 2 * extent + 1;
    const mash_frame_t alone = {0, 0, 1}, frame = frames_ ? frames_->frame(host_->context) : alone;
    coordinates_t center = {extent, extent};
    current_ = 0;
    if (fit_ == kPad) {
      next.prepare(picture_.pad(image, view, side, extent_ != 0), center, frame);
    } else {
      /* Of an even rest, the larger half is right and below. */
      center.x += view.x + (view.width - side) / 2;
      center.y += view.y + (view.height - side) / 2;
      next.prepare(picture_.copy(image), center, frame);
    }
    current_ = &next;
  }

  void compute(const uint32_t* indices, uint32_t num_features, float* out) {
    current_->compute(indices, num_features, out);
  }

  void release() {
    Session* session = current_;
    current_ = 0;
    session->finish();
  }

 private:
  typedef std::map<unsigned int, Session*> Sessions;

  Instance(const Instance&);
  Instance& operator=(const Instance&);

  /* Of the region, whose side is 2 * extent + 1: as large as the view allows where the settings say nothing.
   */
  unsigned int extent_of(const mash_size_t& size) const {
    const bool is_wide = size.height < size.width;
    const unsigned int shorter = is_wide ? size.height : size.width;
    const unsigned int longer = is_wide ? size.width : size.height;
    if (extent_ != 0 && fit_ == kCrop && 2 * extent_ + 1 > shorter)
      throw Unsupported("the view is smaller than the region of interest");
    const unsigned int extent = extent_ != 0 ? extent_ : fit_ == kPad ? longer / 2 : (shorter - 1) / 2;
    if (extent == 0) throw Unsupported("a region of interest has at least 3x3 pixels");
    return extent;
  }

  Session& session(unsigned int extent) {
    const Sessions::iterator known = sessions_.find(extent);
    if (known != sessions_.end()) return *known->second;
    Session*& session = sessions_[extent];
    try {
      session = new Session(extent, frames_ ? frames_->num_cameras(host_->context) : 1, seed_);
    } catch (...) {
      sessions_.erase(extent);
      throw;
    }
    return *session;
  }

  const mash_host_t* host_;
  const mash_frames_t* frames_; /* or null: the host knows of no sequences */
  unsigned int seed_;
  Fit fit_;
  unsigned int extent_; /* 0: of the view */
  Session* current_;    /* with its eyes on a picture, or null */
  Picture picture_;
  Sessions sessions_;
};

}  // namespace sdk_detail
}  // namespace Mash

#endif
