// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_timing.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "framework/base/statistics.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFeaturesTried = 16;  // of each family, on each image
// The first image, on which heuristics grow their buffers, is left out.
constexpr std::size_t kFewestImages = 5;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

// One family on one image after another.
class Timed {
 public:
  Timed(std::unique_ptr<HeuristicInstance> instance, std::uint32_t dim)
      : instance_(std::move(instance)), num_tried_(std::min<std::size_t>(kFeaturesTried, dim)), dim_(dim) {}

  Status measure(const ImageTile& tile, std::size_t image) {
    const auto start = Clock::now();
    MASH_TRY(instance_->begin_image(tile));
    const auto shown = Clock::now();
    Status status = Done{};
    float value = 0;
    for (std::size_t i = 0; i < num_tried_ && status.ok(); ++i) {
      // Others on each image, so that all parts of the family are tried.
      const auto feature = std::uint32_t((i * dim_ / num_tried_ + image) % dim_);
      status = instance_->more({&feature, 1}, {&value, 1});
    }
    const auto computed = Clock::now();
    const Status ended = instance_->end_image();
    const auto end = Clock::now();
    MASH_TRY(status);
    MASH_TRY(ended);
    if (image == 0) return Done{};
    setups_.push_back(microseconds(shown - start) + microseconds(end - computed));
    features_.push_back(microseconds(computed - shown) / double(num_tried_));
    return Done{};
  }

  FeatureTiming timing() const { return {dim_, median(setups_), median(features_)}; }

 private:
  std::unique_ptr<HeuristicInstance> instance_;
  std::size_t num_tried_;
  std::uint32_t dim_;
  std::vector<double> setups_, features_;  // of each image
};

Result<Timed> open_timed(const FamilySpec& spec, const ExtractionContext& context) {
  const ImageShape& shape = context.dataset.shape;
  if (spec.is_given()) return given_values_error(spec);
  MASH_ASSIGN(auto instance, context.host.open(spec.heuristic, spec.values, shape.num_cameras));
  MASH_ASSIGN(const std::uint32_t dim, instance->dim({shape.width, shape.height}));
  return Timed(std::move(instance), dim);
}

}  // namespace

Result<std::vector<Result<FeatureTiming>>> time_features(std::span<const FamilySpec> specs,
                                                         const ExtractionContext& context, double seconds) {
  const Dataset& dataset = context.dataset;
  std::vector<Result<FeatureTiming>> timings(specs.size(), FeatureTiming());
  if (dataset.is_table()) return timings;
  const std::size_t num_images = dataset.train.num_examples;
  if (num_images == 0) return input_error("found no training image to time features on");
  std::vector<Result<Timed>> timed;
  std::uint32_t looks_back = 0;
  for (const FamilySpec& spec : specs) {
    timed.push_back(open_timed(spec, context));
    if (!dataset.train.frames.empty()) looks_back = std::max(looks_back, spec.heuristic.looks_back);
  }
  ImagePlanes planes(dataset.shape, 1, 1 + looks_back, looks_back);
  const auto total = std::uint64_t(1000 * seconds);
  context.work.progress.start("timing features", total, "ms");
  const Stopwatch watch;
  std::uint64_t told = 0;
  for (std::size_t n = 0; n < kFewestImages || watch.seconds() < seconds; ++n) {
    if (context.work.stop.raised()) return stopped_by_user();
    for (auto& family : timed) {
      if (!family.ok()) continue;
      planes.clear();
      planes.add(dataset.train, n % num_images);
      if (const Status status = family->measure(planes.tile(), n); !status.ok()) family = status.error();
    }
    const auto now = std::min(total, std::uint64_t(1000 * watch.seconds()));
    context.work.progress.advance(now - told);
    told = now;
  }
  context.work.progress.finish();
  for (std::size_t k = 0; k < timed.size(); ++k)
    timings[k] = timed[k].ok() ? Result<FeatureTiming>(timed[k]->timing()) : timed[k].error();
  return timings;
}

}  // namespace mash
