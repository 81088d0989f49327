// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <vector>

#include "heuristics/common/integral.hpp"
#include "heuristics/common/splitmix.hpp"

namespace {

// A row of up to four equal rectangles or a 2 x 2 square of them, with the weights that their sums get.
struct Shape {
  std::uint32_t num_columns, num_rows;
  std::array<int, 4> weights;  // row by row; their sum is 0
};

// The two-, three- and four-rectangle features of Viola & Jones (2001). The middle of three counts twice
// (Lienhart & Maydt 2002), so that no feature sees a change of brightness.
constexpr std::array kShapes = {
    Shape{2, 1, {1, -1}},     Shape{1, 2, {1, -1}},        Shape{3, 1, {-1, 2, -1}},
    Shape{1, 3, {-1, 2, -1}}, Shape{2, 2, {1, -1, -1, 1}},
};

struct Feature {
  std::uint8_t shape;
  std::uint32_t left, top, width, height;  // of the first rectangle
};

// Rectangle differences of the grey image, at random places and scales. Feature i depends on the seed, i and
// the view size only.
class HaarLike final : public mash::Heuristic {
 public:
  static constexpr std::array kNormalisations = {"mean", "standard"};
  static constexpr std::array kResponses = {"signed", "absolute"};
  static constexpr auto parameters = std::array{
      mash::integer("count", "number of features", 2000, 1, 1000000),
      mash::integer("seed", "of the places and scales", 1, 0, 1000000000),
      mash::choice("normalise", "difference of means, or the same in standard deviations of the view", 1,
                   kNormalisations),
      mash::choice("response", "the difference or its absolute value", 0, kResponses),
  };

  explicit HaarLike(const mash::Parameters& parameters)
      : count_(std::uint32_t(parameters.integer("count"))),
        seed_(std::uint64_t(parameters.integer("seed"))),
        is_standard_(parameters.choice("normalise") == 1),
        is_absolute_(parameters.choice("response") == 1) {}

  std::uint32_t dim(mash::Size size) const override {
    require_room(size);
    return count_;
  }

  void prepare(const mash::View& view) override {
    if (size_.width != view.width() || size_.height != view.height())
      draw_features({view.width(), view.height()});
    integral_.read(view);
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    // One grey level keeps flat views finite.
    const double scale = is_standard_ ? 1 / (integral_.deviation() + 1) : 1;
    for (std::size_t i = 0; i < features.size(); ++i) {
      const double value = scale * difference(features_[features[i]]);
      out[i] = float(is_absolute_ ? std::abs(value) : value);
    }
  }

 private:
  static void require_room(mash::Size size) {
    if (size.width < 3 || size.height < 3) throw mash::Unsupported("the view is smaller than 3 x 3 pixels");
  }

  // The weighted sum of the rectangles' means.
  double difference(const Feature& feature) const {
    const Shape& shape = kShapes[feature.shape];
    std::int64_t sum = 0;
    const int* weight = shape.weights.data();
    for (std::uint32_t row = 0; row < shape.num_rows; ++row)
      for (std::uint32_t column = 0; column < shape.num_columns; ++column) {
        const std::uint32_t left = feature.left + column * feature.width,
                            top = feature.top + row * feature.height;
        sum +=
            std::int64_t(*weight++) * integral_.sum({left, top, left + feature.width, top + feature.height});
      }
    return double(sum) / (double(feature.width) * feature.height);
  }

  void draw_features(mash::Size size) {
    require_room(size);
    size_ = size;
    features_.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      mash::heuristics::SplitMix random(seed_, i);
      Feature& feature = features_[i];
      feature.shape = std::uint8_t(random.below(kShapes.size()));
      const Shape& shape = kShapes[feature.shape];
      feature.width = random.between(1, size.width / shape.num_columns);
      feature.height = random.between(1, size.height / shape.num_rows);
      feature.left = random.between(0, size.width - feature.width * shape.num_columns);
      feature.top = random.between(0, size.height - feature.height * shape.num_rows);
    }
  }

  std::uint32_t count_;
  std::uint64_t seed_;
  bool is_standard_, is_absolute_;
  mash::Size size_{0, 0};
  std::vector<Feature> features_;
  mash::heuristics::IntegralImage integral_;
};

}  // namespace

MASH_HEURISTIC(HaarLike, "haar-like", "1.0.0", "MASH", "rectangle differences at random places and scales",
               "Apache-2.0")
