// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/cpu_watch.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/image.h"
#include "mash/abi/sequence.h"

namespace mash {

// Images that are handed to a heuristic together, with the view that it sees of each. The images, the samples
// that they point to, and the views belong to the caller and stay as they are until the call returns.
struct ImageTile {
  std::span<const mash_image_t> images;
  // The view within each image, those that are only shown among them; or one view, which is that of all.
  std::span<const mash_view_t> views;
  // The number of each image for messages, counted through the training examples and then those of the test
  // side; empty where they have no numbers. No heuristic ever sees them.
  std::span<const std::uint32_t> numbers = {};
  // Where each image stands in its sequence, of which num_before says how many are before it in all, or as
  // many as anybody looks back at; is_last says nothing. Images that stand side by side and are not the first
  // of a sequence follow each other. Empty: each image stands alone.
  std::span<const mash_frame_t> frames = {};
  // The first num_shown images are here because those behind look back at them: they have no features.
  std::size_t num_shown = 0;

  std::size_t num_wanted() const { return images.size() - num_shown; }
  // Whether there is one view, or one an image.
  bool has_its_views() const { return views.size() == 1 || views.size() == images.size(); }
  // REQUIRES: has_its_views(), image < images.size()
  const mash_view_t& view_of(std::size_t image) const { return views[views.size() == 1 ? 0 : image]; }
  // The images from the `first` wanted one on, and before them those that a heuristic which looks back so far
  // is to be shown. REQUIRES: first < num_wanted()
  ImageTile from(std::size_t first, std::uint32_t looks_back) const;
  // The first images alone. REQUIRES: num_shown <= num_images <= images.size()
  ImageTile first(std::size_t num_images) const;
};

// How far extraction came in a tile: the wanted images [0, num_done) have their features. Where num_done is
// less than their number, `status` is the error of wanted image num_done.
struct TileResult {
  std::size_t num_done = 0;
  Status status = Done{};
};

// A heuristic with its parameters, looked after: every call is checked against the life cycle of
// sdk/include/mash/abi/heuristic.h, and what the plugin gives back is checked before anybody sees it.
//
//   1. HeuristicHost::open makes it.
//   2. ( extract | begin_image  more*  end_image )*, and dim anywhere in between. A call that fails leaves it
//      usable: the caller may go on with the images behind the one that failed. A begin_image that fails
//      has begun nothing; after a more that fails the image is still begun: more may be asked again, and
//      end_image is wanted. An end_image that fails has ended the image.
//   3. The destructor ends it, also with an image that is begun. It may outlive the catalogue that its
//      heuristic was found in.
//
// Any other order is an error (kFailure) that names the call, in any process the heuristic runs in; it is not
// asked, and all is as before the call.
//
// One thread at a time; open several instances for several threads.
class HeuristicInstance {
 public:
  virtual ~HeuristicInstance() = default;

  // The number of features for this view size. Errors: the heuristic's own, 0, more than kMaxDim, or not the
  // same as last time.
  virtual Result<std::uint32_t> dim(mash_size_t view_size) = 0;

  // Computes features of several images, so that a host in another process is asked once for all of them.
  // Every call begins again: no sequence goes on from the tile before.
  // out: a row for each wanted image of the tile, one after the other; value i of a row is feature indices[i]
  // of the image's view, or feature i where `indices` is empty and a row has all dim features. A NaN or
  // infinite value is recorded as a fault and becomes NaN. Errors: the heuristic's own, a broken contract,
  // another number of views than one, or one an image (kFailure); rows from the image that failed on have no
  // defined content.
  TileResult extract(const ImageTile& tile, std::span<const std::uint32_t> indices, std::span<float> out);

  // The same for one image.
  Status extract(const mash_image_t& image, const mash_view_t& view, std::span<const std::uint32_t> indices,
                 std::span<float> out) {
    return extract(ImageTile{{&image, 1}, {&view, 1}}, indices, out).status;
  }

  // The features of one image piece by piece, for those who know only from some which others they want: what
  // they share is computed once by a heuristic in this process; one in another process extracts again for
  // each piece, and says only then what is wrong with the image. tile: of one wanted image; what it points to
  // stays until end_image. Errors: as of extract; another number of wanted images (kFailure).
  Status begin_image(const ImageTile& tile);
  Status more(std::span<const std::uint32_t> indices, std::span<float> out);
  Status end_image();

  // From now on a call ends with kStopped soon after the flag is raised: before the next image, or, where the
  // heuristic is in a process of its own, at once, by ending that. stop: outlives the calls.
  void heed(const StopFlag& stop) { stop_ = &stop; }

  // Seconds of processor time that a process of its own has taken for it by now, of all its threads; 0 where
  // it has none: it then takes the time of the threads that call it.
  virtual double processor_seconds() const { return 0; }

  // Values that were not finite since the instance was opened, and the first few of them in words.
  virtual std::uint64_t num_faults() const = 0;
  virtual std::span<const Fault> first_faults() const = 0;

 protected:
  const StopFlag* stop() const { return stop_; }  // that is heeded; null: none
  bool is_stopped() const { return stop_ != nullptr && stop_->raised(); }

 private:
  // The work of the calls of these names, once their order is found legal. Hosts without per-image state need
  // not override the last three: each piece is then extracted again.
  virtual TileResult do_extract(const ImageTile& tile, std::span<const std::uint32_t> indices,
                                std::span<float> out) = 0;
  virtual Status do_begin_image(const ImageTile&) { return Done{}; }
  virtual Status do_more(const ImageTile& tile, std::span<const std::uint32_t> indices,
                         std::span<float> out) {
    return do_extract(tile, indices, out).status;
  }
  virtual Status do_end_image() { return Done{}; }

  std::optional<ImageTile> begun_;  // from begin_image to end_image
  const StopFlag* stop_ = nullptr;
};

// A watch of the processor time that calls of an instance take, those of this thread among them, since it was
// made. Other programs on the machine do not lengthen it. instance: outlives it; asked by this thread alone.
class CostWatch {
 public:
  explicit CostWatch(const HeuristicInstance& instance)
      : instance_(instance), start_(instance.processor_seconds()) {}
  double seconds() const {
    const double here = here_.seconds();  // without the time of asking
    return here + std::max(0.0, instance_.processor_seconds() - start_);
  }

 private:
  const HeuristicInstance& instance_;
  double start_;
  CpuWatch here_{CpuWatch::Whose::kThread};
};

// The beginning of an error, behind the heuristic and the call, where the heuristic refuses
// (MASH_UNSUPPORTED).
inline constexpr std::string_view kRefusal = "unsupported: ";

// Whether an error of a host or an instance says that the heuristic refuses its settings or a size of views,
// which is no fault of it.
bool is_refusal(const Error& error);

// A heuristic that ended its process, or was ended for what it used up.
struct Incident {
  std::string heuristic;               // id
  std::string call;                    // "load", "describe", "create", "dim", "prepare", ...
  std::optional<std::uint32_t> image;  // as ImageTile::numbers has it
  std::string end;                     // "signal 11 (SEGV)", "took longer than 2 s"
  std::string errors;                  // the end of what it wrote to stderr
};

// Where heuristics run: in this process or in another. Extraction talks to a host and cannot tell which. A
// host loads a plugin when an instance of one of its heuristics is first opened, and keeps it until the host
// ends.
class HeuristicHost {
 public:
  virtual ~HeuristicHost() = default;

  // Makes an instance. values: one per parameter of `info`, in order, already within range. num_cameras: that
  // take turns in the sequences that it will be shown. Errors (kInput):
  // the plugin cannot be loaded or is not the one that `info` was read from; the heuristic's own. A host may
  // leave the making, and these errors, to the instance's first call. [any thread]
  virtual Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info,
                                                          std::span<const double> values,
                                                          std::uint32_t num_cameras = 1) = 0;

  // Whether the heuristic came with this program, known by the content of its file; its name says nothing.
  // Features of all others are computed again before they are trusted. [any thread]
  virtual bool is_shipped(const HeuristicInfo&) const { return false; }

  // Nobody will open instances for a while: what is kept for them may go. Instances that are opened later are
  // in processes that have not run the heuristic before, where it runs in others at all. [any thread]
  virtual void rest() {}

  // Incidents since the last call, in order. [any thread]
  virtual std::vector<Incident> take_incidents() { return {}; }
};

}  // namespace mash
