// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "heuristics/common/integral.hpp"
#include "heuristics/common/splitmix.hpp"

namespace {

using mash::heuristics::Box;

enum class Normalisation : std::size_t { kSum, kMean, kStandard };

// Sums of the grey values over random boxes. Box i depends on the seed, i and the view size only: its two
// columns and its two rows are drawn uniformly, so that all scales and positions occur.
class PatchSums final : public mash::Heuristic {
 public:
  static constexpr std::array kNormalisations = {"sum", "mean", "standard"};
  static constexpr auto parameters = std::array{
      mash::integer("count", "number of boxes", 1500, 1, 1000000),
      mash::integer("seed", "of the boxes", 1, 0, 1000000000),
      mash::choice("normalise", "the sum, the mean, or the mean in standard deviations from the view's", 2,
                   kNormalisations),
  };

  explicit PatchSums(const mash::Parameters& parameters)
      : count_(std::uint32_t(parameters.integer("count"))),
        seed_(std::uint64_t(parameters.integer("seed"))),
        normalisation_(Normalisation(parameters.choice("normalise"))) {}

  std::uint32_t dim(mash::Size) const override { return count_; }

  void prepare(const mash::View& view) override {
    if (size_.width != view.width() || size_.height != view.height())
      draw_boxes({view.width(), view.height()});
    integral_.read(view);
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    // One grey level keeps flat views finite.
    const double scale = 1 / (integral_.deviation() + 1);
    for (std::size_t i = 0; i < features.size(); ++i) {
      const Box& box = boxes_[features[i]];
      const double sum = integral_.sum(box), area = double(box.right - box.left) * (box.bottom - box.top);
      switch (normalisation_) {
        case Normalisation::kSum: out[i] = float(sum); break;
        case Normalisation::kMean: out[i] = float(sum / area); break;
        case Normalisation::kStandard: out[i] = float((sum / area - integral_.mean()) * scale); break;
      }
    }
  }

 private:
  void draw_boxes(mash::Size size) {
    size_ = size;
    boxes_.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      mash::heuristics::SplitMix random(seed_, i);
      const std::uint32_t width = random.between(1, size.width), height = random.between(1, size.height);
      const std::uint32_t left = random.between(0, size.width - width),
                          top = random.between(0, size.height - height);
      boxes_[i] = {left, top, left + width, top + height};
    }
  }

  std::uint32_t count_;
  std::uint64_t seed_;
  Normalisation normalisation_;
  mash::Size size_{0, 0};
  std::vector<Box> boxes_;
  mash::heuristics::IntegralImage integral_;
};

}  // namespace

MASH_HEURISTIC(PatchSums, "patch-sums", "1.0.0", "MASH", "grey-value sums over random boxes", "Apache-2.0")
