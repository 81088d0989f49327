// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/digits.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "framework/base/random.hpp"
#include "framework/dataset/endless.hpp"
#include "framework/dataset/generators/digit_fonts.hpp"
#include "framework/dataset/generators/stroke_canvas.hpp"

namespace mash {
namespace {

using Colour = std::array<double, 3>;  // full scale is 1

constexpr std::size_t kDefaultTrain = 6000;
constexpr std::size_t kDefaultTest = 2000;
constexpr std::size_t kDefaultHeld = 2048;  // of a side that never ends: as many as thresholds are chosen on

// Glyph coordinates to image coordinates (the image is the unit square): bend, then an affine map.
struct Pose {
  double xx = 1, xy = 0, yx = 0, yy = 1, dx = 0.5, dy = 0.5;
  double bend = 0, bend_phase = 0;

  Point operator()(Point p) const {
    const double x = p.x + bend * std::sin(bend_phase + 2 * std::numbers::pi * p.y);
    return {xx * x + xy * p.y + dx, yx * x + yy * p.y + dy};
  }
};

Pose affine(double angle, double shear, double width, double height, Point centre) {
  const double c = std::cos(angle), s = std::sin(angle);
  Pose pose;
  pose.xx = c * width;
  pose.xy = c * shear * height - s * height;
  pose.yx = s * width;
  pose.yy = s * shear * height + c * height;
  pose.dx = centre.x;
  pose.dy = centre.y;
  return pose;
}

Pose random_digit_pose(RandomStream& stream, double spread) {
  const double height = 0.66 + spread * stream.uniform(-0.07, 0.05);
  const double width = height * (0.62 + spread * stream.uniform(-0.10, 0.08));
  const double angle = spread * 0.1 * stream.normal();
  const double shear = spread * 0.09 * stream.normal();
  const Point centre{0.5 + spread * stream.uniform(-0.055, 0.055),
                     0.5 + spread * stream.uniform(-0.055, 0.055)};
  Pose pose = affine(angle, shear, width, height, centre);
  pose.bend = spread * 0.03 * stream.normal();
  pose.bend_phase = stream.uniform(0, 2 * std::numbers::pi);
  return pose;
}

// Anywhere, but rather at the border than on the digit.
Pose random_clutter_pose(RandomStream& stream) {
  const double direction = stream.uniform(0, 2 * std::numbers::pi);
  const double distance = stream.uniform(0.3, 0.6);
  const Point centre{0.5 + distance * std::cos(direction), 0.5 + distance * std::sin(direction)};
  const double size = stream.uniform(0.25, 0.6);
  return affine(stream.uniform(0, 2 * std::numbers::pi), 0, size, size, centre);
}

double luminance(const Colour& colour) { return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]; }

// A random hue of a given luminance.
Colour tint(RandomStream& stream, double grey) {
  Colour colour{stream.uniform(-0.3, 0.3), stream.uniform(-0.3, 0.3), stream.uniform(-0.3, 0.3)};
  const double offset = grey - luminance(colour);
  for (double& part : colour) part += offset;
  return colour;
}

// The picture while it is painted, in doubles.
class Painting {
 public:
  explicit Painting(const ImageShape& shape)
      : shape_(shape), canvas_(shape.width), values_(shape.num_bytes()) {}

  // Paper whose brightness changes along a random direction.
  void paint_paper(RandomStream& stream, const Colour& paper) {
    const double direction = stream.uniform(0, 2 * std::numbers::pi);
    const double slope = stream.uniform(0, 0.3);
    const double along_x = slope * std::cos(direction), along_y = slope * std::sin(direction);
    for_pixels([&](std::size_t x, std::size_t y, std::size_t channel, double& value) {
      value = paper[channel] + along_x * (double(x) / shape_.width - 0.5) +
              along_y * (double(y) / shape_.height - 0.5);
    });
  }

  // Strokes of a colour over what is there. thickness: in parts of the image's width.
  void paint_strokes(std::span<const Polyline> strokes, const Pose& pose, double thickness,
                     const Colour& ink) {
    canvas_.clear();
    for (const Polyline& stroke : strokes) {
      Polyline placed;
      for (const Point& p : stroke) placed.push_back(pose(p));
      canvas_.draw(placed, thickness);
    }
    for_pixels([&](std::size_t x, std::size_t y, std::size_t channel, double& value) {
      value += canvas_.coverage(x, y) * (ink[channel] - value);
    });
  }

  void add_noise(RandomStream& stream, double deviation) {
    if (deviation > 0)
      for (double& value : values_) value += deviation * stream.normal();
  }

  void write(std::span<std::uint8_t> image) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
      image[i] = std::uint8_t(std::floor(std::clamp(values_[i], 0.0, 1.0) * 255 + 0.5));
  }

 private:
  template <class Body>
  void for_pixels(const Body& body) {
    double* value = values_.data();
    for (std::size_t y = 0; y < shape_.height; ++y)
      for (std::size_t x = 0; x < shape_.width; ++x)
        for (std::size_t channel = 0; channel < shape_.num_channels; ++channel) body(x, y, channel, *value++);
  }

  ImageShape shape_;
  StrokeCanvas canvas_;
  std::vector<double> values_;
};

struct Inks {
  Colour paper, ink;
};

// Light on dark or, for the part `inverted` of the digits, dark on light.
Inks random_inks(RandomStream& stream, double inverted, std::uint32_t num_channels) {
  const double dark = stream.uniform(0.05, 0.3);
  const double light = stream.uniform(0.55, 0.95);
  const bool is_inverted = stream.uniform() < inverted;
  const double paper = is_inverted ? light : dark;
  const double ink = is_inverted ? dark : light;
  if (num_channels == 1) return {{paper, paper, paper}, {ink, ink, ink}};
  return {tint(stream, paper), tint(stream, ink)};
}

Colour mix(const Colour& a, const Colour& b, double part) {
  Colour mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = a[i] + part * (b[i] - a[i]);
  return mixed;
}

// Strokes torn from digits, in colours between paper and ink.
void paint_clutter(RandomStream& stream, std::span<const DigitFont> fonts, double amount, const Inks& inks,
                   Painting& painting) {
  const auto num_strokes = std::size_t(amount * 2 * stream.uniform() + 0.5);
  for (std::size_t i = 0; i < num_strokes; ++i) {
    const DigitFont& font = fonts[stream.below(fonts.size())];
    const Glyph& glyph = font.digits[stream.below(font.digits.size())];
    const Polyline& stroke = glyph[stream.below(glyph.size())];
    const Pose pose = random_clutter_pose(stream);
    const double thickness = stream.uniform(0.03, 0.09);
    painting.paint_strokes(std::span(&stroke, 1), pose, thickness,
                           mix(inks.paper, inks.ink, stream.uniform(0.2, 0.9)));
  }
}

RandomStream digit_stream(DigitsSide side, std::uint64_t seed, std::size_t example_idx) {
  return {seed, side == DigitsSide::kTrain ? "digits.train" : "digits.test", example_idx};
}

std::span<const DigitFont> fonts_of(DigitsSide side) {
  return side == DigitsSide::kTrain ? train_digit_fonts() : test_digit_fonts();
}

// The first number of a digit's stream says its font.
std::size_t font_of(DigitsSide side, RandomStream stream) { return stream.below(fonts_of(side).size()); }

Result<Split> generate_digits(const DigitsSettings& settings, DigitsSide side, std::size_t num_examples,
                              const ReadRequest& request) {
  Split split;
  split.num_examples = num_examples;
  split.pixels.resize(num_examples * settings.shape.num_bytes());
  split.labels.resize(num_examples);
  split.groups.resize(num_examples);
  const WorkContext& work = request.work;
  MASH_TRY(
      work.workers.try_blocks(num_examples, 64, work.stop, [&](std::size_t begin, std::size_t end) -> Status {
        for (std::size_t i = begin; i < end; ++i) {
          split.labels[i] = digit_label(i);
          split.groups[i] = std::uint32_t(font_of(side, digit_stream(side, request.seed, i)));
          const auto image =
              std::span(split.pixels).subspan(i * settings.shape.num_bytes(), settings.shape.num_bytes());
          render_digit(settings, side, request.seed, i, image);
        }
        work.progress.advance(end - begin);
        return Done{};
      }));
  return split;
}

class EndlessDigits final : public EndlessExamples {
 public:
  EndlessDigits(const DigitsSettings& settings, std::uint64_t seed) : settings_(settings), seed_(seed) {}
  std::uint16_t label(std::uint32_t example_idx) const override { return digit_label(example_idx); }
  void render(std::uint32_t example_idx, std::span<std::uint8_t> image) const override {
    render_digit(settings_, DigitsSide::kTrain, seed_, example_idx, image);
  }

 private:
  DigitsSettings settings_;
  std::uint64_t seed_;
};

Result<DigitsSettings> read_digits(Settings& settings) {
  DigitsSettings digits;
  MASH_ASSIGN(const std::int64_t size, settings.integer("size", 28, 16, 256));
  MASH_ASSIGN(const std::int64_t num_channels, settings.integer("channels", 1, 1, 3));
  if (num_channels == 2) MASH_TRY(settings.refuse(settings.unexpected("channels", "1 (grey) or 3 (colour)")));
  MASH_ASSIGN(digits.pose, settings.real("pose", 1, 0, 2));
  MASH_ASSIGN(digits.clutter, settings.real("clutter", 1, 0, 4));
  MASH_ASSIGN(digits.inverted, settings.real("inverted", digits.inverted, 0, 1));
  MASH_ASSIGN(digits.noise, settings.real("noise", 1, 0, 8));
  digits.shape = {std::uint32_t(size), std::uint32_t(size), std::uint32_t(num_channels)};
  return digits;
}

}  // namespace

void render_digit(const DigitsSettings& settings, DigitsSide side, std::uint64_t seed,
                  std::size_t example_idx, std::span<std::uint8_t> image) {
  RandomStream stream = digit_stream(side, seed, example_idx);
  const auto fonts = fonts_of(side);
  const Glyph& glyph = fonts[stream.below(fonts.size())].digits[digit_label(example_idx)];
  const Inks inks = random_inks(stream, settings.inverted, settings.shape.num_channels);
  Painting painting(settings.shape);
  painting.paint_paper(stream, inks.paper);
  paint_clutter(stream, fonts, settings.clutter, inks, painting);
  const Pose pose = random_digit_pose(stream, settings.pose);
  painting.paint_strokes(glyph, pose, stream.uniform(0.06, 0.13), inks.ink);
  painting.add_noise(stream, settings.noise * stream.uniform(0, 0.04));
  painting.write(image);
}

Result<Dataset> generate_digits(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const DigitsSettings digits, read_digits(settings));
  MASH_ASSIGN(const bool is_endless, settings.boolean("endless", false));
  if (is_endless && settings.has("validation"))
    MASH_TRY(settings.refuse(
        settings.unexpected("validation", "none together with endless: true, which has no share to take")));
  MASH_TRY(settings.finish("data set digits"));
  const std::size_t num_train = count_of(request.split.train, is_endless ? kDefaultHeld : kDefaultTrain),
                    num_test = count_of(request.split.test, kDefaultTest);

  Dataset dataset;
  dataset.shape = digits.shape;
  if (is_endless) dataset.name = "digits without end";
  for (int digit = 0; digit < 10; ++digit) dataset.class_names.push_back(std::to_string(digit));
  request.work.progress.start("making digits", num_train + num_test, "images");
  MASH_ASSIGN(dataset.train, generate_digits(digits, DigitsSide::kTrain, num_train, request));
  MASH_ASSIGN(dataset.test, generate_digits(digits, DigitsSide::kTest, num_test, request));
  if (is_endless) dataset.train.beyond = std::make_shared<const EndlessDigits>(digits, request.seed);
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
