// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/perturbation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mash {
namespace {

constexpr ImageShape kShape{21, 21, 1};
constexpr std::size_t kBytes = 21 * 21;

// As many pictures of a light square left of the middle.
Split squares(std::size_t num_examples) {
  Split split;
  split.num_examples = num_examples;
  split.pixels.resize(num_examples * kBytes, 20);
  for (std::size_t n = 0; n < num_examples; ++n)
    for (std::size_t y = 8; y < 13; ++y)
      for (std::size_t x = 3; x < 8; ++x) split.pixels[n * kBytes + y * 21 + x] = 220;
  return split;
}

Split perturbed(PerturbationKind kind, double amount, std::size_t num_examples = 20) {
  Split split = squares(num_examples);
  perturb(split, kShape, {kind, amount}, 1);
  return split;
}

struct Point {
  double x, y;
};

// Where the light is.
Point centre(std::span<const std::uint8_t> image) {
  double sum = 0, x_sum = 0, y_sum = 0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double light = double(image[i]) - 20;
    sum += light;
    x_sum += light * double(i % 21);
    y_sum += light * double(i / 21);
  }
  return {x_sum / sum, y_sum / sum};
}

double mean(std::span<const std::uint8_t> image) {
  return std::accumulate(image.begin(), image.end(), 0.0) / double(image.size());
}

TEST(Perturbation, OfNothingLeavesAllAsItIs) {
  for (std::size_t kind = 0; kind < perturbations().size(); ++kind)
    EXPECT_EQ(perturbed(PerturbationKind(kind), 0).pixels, squares(20).pixels) << perturbations()[kind].name;
}

TEST(Perturbation, GivesTheSamePicturesForTheSameSeed) {
  for (std::size_t kind = 0; kind < perturbations().size(); ++kind) {
    const double amount = PerturbationKind(kind) == PerturbationKind::kScale ? 0.3 : 3;
    const Split a = perturbed(PerturbationKind(kind), amount), b = perturbed(PerturbationKind(kind), amount);
    EXPECT_EQ(a.pixels, b.pixels) << perturbations()[kind].name;
    EXPECT_NE(a.pixels, squares(20).pixels) << perturbations()[kind].name;
    Split other = squares(20);
    perturb(other, kShape, {PerturbationKind(kind), amount}, 2);
    const bool is_random = PerturbationKind(kind) != PerturbationKind::kBlur;
    EXPECT_EQ(a.pixels != other.pixels, is_random) << perturbations()[kind].name << " of another seed";
  }
}

TEST(Perturbation, ShiftMovesByItsAmountInSomeDirection) {
  const Split split = perturbed(PerturbationKind::kShift, 2);
  double x_sum = 0;
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const Point to = centre(split.image(n, kShape));
    EXPECT_NEAR(std::hypot(to.x - 5, to.y - 10), 2, 0.1) << n;
    x_sum += to.x - 5;
  }
  EXPECT_LT(std::abs(x_sum), 30) << "in all directions";
}

TEST(Perturbation, RotationTurnsAboutTheMiddle) {
  const Split split = perturbed(PerturbationKind::kRotation, 90);
  std::size_t num_up = 0;
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const Point to = centre(split.image(n, kShape));
    EXPECT_NEAR(to.x, 10, 0.1);
    EXPECT_NEAR(std::abs(to.y - 10), 5, 0.1);
    num_up += to.y < 10;
  }
  EXPECT_GT(num_up, 2u);
  EXPECT_LT(num_up, 18u);
}

TEST(Perturbation, ScaleStretchesAboutTheMiddle) {
  const Split split = perturbed(PerturbationKind::kScale, 0.3);
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const Point to = centre(split.image(n, kShape));
    const bool is_larger = to.x < 5;
    EXPECT_NEAR(to.x, is_larger ? 10 - 5 * 1.3 : 10 - 5 / 1.3, 0.15);
    EXPECT_NEAR(to.y, 10, 0.1);
  }
}

TEST(Perturbation, NoiseOfEachPictureIsItsOwn) {
  const Split split = perturbed(PerturbationKind::kNoise, 10, 2);
  EXPECT_FALSE(
      std::equal(split.pixels.begin(), split.pixels.begin() + kBytes, split.pixels.begin() + kBytes));
}

TEST(Perturbation, NoiseHasItsDeviation) {
  Split grey;
  grey.num_examples = 1;
  grey.pixels.assign(kBytes * 100, 128);
  const ImageShape wide{21 * 100, 21, 1};
  perturb(grey, wide, {PerturbationKind::kNoise, 10}, 1);
  double squares = 0;
  for (const std::uint8_t value : grey.pixels) squares += (value - 128.0) * (value - 128.0);
  EXPECT_NEAR(std::sqrt(squares / double(grey.pixels.size())), 10, 0.15);
  EXPECT_NEAR(mean(grey.pixels), 128, 0.2);
}

TEST(Perturbation, BlurKeepsTheLightButSpreadsIt) {
  const Split split = perturbed(PerturbationKind::kBlur, 1, 1);
  EXPECT_NEAR(mean(split.pixels), mean(squares(1).pixels), 0.5);
  EXPECT_LT(split.pixels[8 * 21 + 3], 150) << "a corner";
  EXPECT_GT(split.pixels[8 * 21 + 2], 20) << "beside it";
}

TEST(Perturbation, BrightnessAddsAndStaysInRange) {
  const Split split = perturbed(PerturbationKind::kBrightness, 50);
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const auto image = split.image(n, kShape);
    const bool is_lighter = image[0] > 20;
    EXPECT_EQ(image[0], is_lighter ? 70 : 0);
    EXPECT_EQ(image[10 * 21 + 5], is_lighter ? 255 : 170);
  }
}

TEST(Perturbation, ColoursMoveTogether) {
  for (const PerturbationKind kind :
       {PerturbationKind::kShift, PerturbationKind::kRotation, PerturbationKind::kBlur}) {
    const Split grey = squares(1);
    Split colour;
    colour.num_examples = 1;
    for (const std::uint8_t value : grey.pixels) colour.pixels.insert(colour.pixels.end(), 3, value);
    perturb(colour, {21, 21, 3}, {kind, 2}, 1);
    const Split expected = perturbed(kind, 2, 1);
    for (std::size_t i = 0; i < colour.pixels.size(); ++i)
      ASSERT_EQ(colour.pixels[i], expected.pixels[i / 3]);
  }
}

TEST(Perturbation, BrightnessIsAddedToAllColours) {
  Split split;
  split.num_examples = 1;
  split.pixels = {10, 20, 30, 40, 50, 60, 70, 80, 90};
  perturb(split, {3, 1, 3}, {PerturbationKind::kBrightness, 5}, 1);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(split.pixels[i] - 10 * int(i + 1), split.pixels[0] - 10);
}

TEST(Perturbation, IsReadFromItsName) {
  const auto rotation = parse_perturbation("rotation=12.5");
  ASSERT_TRUE(rotation.ok());
  EXPECT_EQ(rotation->kind, PerturbationKind::kRotation);
  EXPECT_EQ(rotation->amount, 12.5);
  for (const char* wrong : {"rotation", "rotation=", "rotation=x", "rotation=10x", "rotation=-1",
                            "rotation=181", "rotation=nan", "turn=10", "=10", ""}) {
    const auto result = parse_perturbation(wrong);
    ASSERT_FALSE(result.ok()) << wrong;
    EXPECT_EQ(result.error().kind, ErrorKind::kInput);
  }
  EXPECT_EQ(parse_perturbation("turn=10").error().message,
            "perturbation: found 'turn', expected one of shift, rotation, scale, noise, blur, brightness");
  EXPECT_EQ(parse_perturbation("blur=-1").error().message,
            "blur: found 'blur=-1', expected blur=AMOUNT with an amount from 0 to 100 (pixels, standard "
            "deviation)");
}

}  // namespace
}  // namespace mash
