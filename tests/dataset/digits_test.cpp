// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/digits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "framework/base/hash.hpp"
#include "framework/dataset/endless.hpp"
#include "framework/dataset/generators/digit_fonts.hpp"
#include "framework/dataset/generators/stroke_canvas.hpp"
#include "tests/dataset/data_files.hpp"
#include "tests/dataset/watched_reading.hpp"

namespace mash {
namespace {

using testing::expect_input_error;
using testing::histogram;
using testing::load;

std::vector<std::uint8_t> rendered(const DigitsSettings& settings, std::size_t example_idx,
                                   std::uint64_t seed = 1, DigitsSide side = DigitsSide::kTrain) {
  std::vector<std::uint8_t> image(settings.shape.num_bytes());
  render_digit(settings, side, seed, example_idx, image);
  return image;
}

std::string hash_of(const std::vector<std::uint8_t>& bytes) {
  Sha256 hash;
  hash.update(std::as_bytes(std::span(bytes)));
  return hash.hex().substr(0, 16);
}

TEST(Digits, HasTheDefaultSizes) {
  const auto dataset = load("digits", {});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{28, 28, 1}));
  EXPECT_EQ(histogram(*dataset, dataset->train), std::vector<std::size_t>(10, 600));
  EXPECT_EQ(histogram(*dataset, dataset->test), std::vector<std::size_t>(10, 200));
  EXPECT_TRUE(dataset->sources.empty());
  EXPECT_TRUE(dataset->warnings.empty());
}

TEST(Digits, StopSoon) { testing::expect_stops_soon("digits", {}); }

// A golden: experiments on digits must mean the same tomorrow. Print the new values and write why they
// changed.
TEST(Digits, AreTheSameForEver) {
  DigitsSettings settings;
  EXPECT_EQ(hash_of(rendered(settings, 0)), "a25f4d97a03d6554");
  EXPECT_EQ(hash_of(rendered(settings, 7, 1, DigitsSide::kTest)), "df297f552d9c55d1");
  settings.shape = {32, 32, 3};
  EXPECT_EQ(hash_of(rendered(settings, 12345, 99)), "a2ef748b317c3145");
}

TEST(Digits, AnExampleDoesNotDependOnTheOthers) {
  const auto few = load("digits", {{"train", "20"}, {"test", "10"}}, 5);
  const auto many = load("digits", {{"train", "300"}, {"test", "200"}}, 5);
  ASSERT_LOADS(few);
  ASSERT_LOADS(many);
  EXPECT_TRUE(std::equal(few->train.pixels.begin(), few->train.pixels.end(), many->train.pixels.begin()));
  EXPECT_TRUE(std::equal(few->test.pixels.begin(), few->test.pixels.end(), many->test.pixels.begin()));
  const auto image = few->train.image(13, few->shape);
  EXPECT_EQ(rendered({}, 13, 5), std::vector<std::uint8_t>(image.begin(), image.end()));
}

TEST(Digits, DependOnSeedIndexAndSide) {
  const DigitsSettings settings;
  const auto image = rendered(settings, 3);
  EXPECT_EQ(image, rendered(settings, 3));
  EXPECT_NE(image, rendered(settings, 3, 2));
  EXPECT_NE(image, rendered(settings, 13));
  EXPECT_NE(image, rendered(settings, 3, 1, DigitsSide::kTest));
}

TEST(Digits, SidesShareNoFont) {
  std::set<std::string_view> names;
  for (const auto fonts : {train_digit_fonts(), test_digit_fonts()})
    for (const DigitFont& font : fonts) {
      EXPECT_TRUE(names.insert(font.name).second) << font.name;
      ASSERT_EQ(font.digits.size(), 10u);
      for (const Glyph& glyph : font.digits)
        for (const Polyline& stroke : glyph) EXPECT_GE(stroke.size(), 2u) << font.name;
    }
  EXPECT_EQ(names.size(), train_digit_fonts().size() + test_digit_fonts().size());
}

// Without any of the four difficulties the paper is darker than the ink everywhere.
TEST(Digits, KnobsTurnTheDifficultiesOff) {
  DigitsSettings settings;
  settings.noise = settings.clutter = settings.pose = settings.inverted = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const auto image = rendered(settings, i);
    const auto brightest = *std::max_element(image.begin(), image.end());
    for (const std::size_t corner : {0, 27, 28 * 27, 28 * 28 - 1})
      EXPECT_LT(image[corner] + 20, brightest) << i;
  }
  settings.inverted = 1;
  for (std::size_t i = 0; i < 30; ++i) {
    const auto image = rendered(settings, i);
    EXPECT_GT(image[0], *std::min_element(image.begin(), image.end()) + 20) << i;
  }
}

TEST(Digits, HaveColourWhenAsked) {
  const auto dataset = load("digits", {{"channels", "3"}, {"size", "16"}, {"train", "50"}, {"test", "10"}});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(dataset->shape, (ImageShape{16, 16, 3}));
  std::size_t num_coloured = 0;
  for (std::size_t i = 0; i < dataset->train.pixels.size(); i += 3)
    num_coloured += std::abs(dataset->train.pixels[i] - dataset->train.pixels[i + 2]) > 10;
  EXPECT_GT(num_coloured, 50u * 256u / 2);
}

TEST(Digits, WithoutEndHoldTheFirstAndMakeTheOthers) {
  const auto endless =
                 load("digits", {{"endless", "true"}, {"train", "40"}, {"test", "20"}, {"pose", "0.5"}}, 5),
             finite = load("digits", {{"train", "60"}, {"test", "20"}, {"pose", "0.5"}}, 5),
             held = load("digits", {{"train", "40"}, {"test", "20"}, {"pose", "0.5"}}, 5);
  ASSERT_LOADS(endless);
  ASSERT_LOADS(finite);
  ASSERT_LOADS(held);
  EXPECT_EQ(endless->train.num_examples, 40u);
  EXPECT_EQ(endless->train.pixels, held->train.pixels);
  EXPECT_EQ(endless->test.pixels, finite->test.pixels);
  EXPECT_NE(endless->fingerprint, held->fingerprint);
  EXPECT_FALSE(finite->train.is_endless());
  ASSERT_TRUE(endless->train.is_endless());
  std::vector<std::uint8_t> image(endless->shape.num_bytes());
  for (std::uint32_t n = 0; n < 60; ++n) {
    endless->train.beyond->render(n, image);
    EXPECT_TRUE(std::ranges::equal(image, finite->train.image(n, finite->shape))) << n;
    EXPECT_EQ(label_of(endless->train, n), finite->train.labels[n]) << n;
  }
  const auto usual = load("digits", {{"endless", "true"}, {"test", "20"}, {"size", "16"}});
  ASSERT_LOADS(usual);
  EXPECT_EQ(usual->train.num_examples, 2048u);
}

TEST(Digits, RefuseBadSettings) {
  expect_input_error(load("digits", {{"size", "15"}}), {"test.yaml:1", "size", "'15'", "16 to 256"});
  expect_input_error(load("digits", {{"size", "257"}}), {"size", "'257'"});
  expect_input_error(load("digits", {{"channels", "2"}}), {"test.yaml:1", "channels", "1 (grey) or 3"});
  expect_input_error(load("digits", {{"clutter", "-1"}}), {"clutter", "'-1'"});
  expect_input_error(load("digits", {{"train", "0.5"}}), {"test.yaml:1", "train", "number of examples"});
  expect_input_error(load("digits", {{"train", "999999999999"}}), {"train", "10000000"});
  expect_input_error(load("digits", {{"path", "/tmp"}}), {"unknown key 'path'", "size"});
  expect_input_error(load("digits", {{"endless", "1"}}), {"test.yaml:1", "endless", "'1'", "true"});
  expect_input_error(load("digits", {{"endless", "true"}, {"validation", "0.2"}}),
                     {"test.yaml:1", "validation", "'0.2'", "no share to take"});
  expect_input_error(load("chess", {{"endless", "true"}}), {"unknown key 'endless'"});
}

TEST(ParseGlyph, ReadsSquares) {
  const Glyph glyph = parse_glyph("-a0i9 -e0e9e0");
  ASSERT_EQ(glyph.size(), 2u);
  EXPECT_EQ(glyph[0].size(), 2u);
  EXPECT_EQ(glyph[0][0].x, -0.5);
  EXPECT_EQ(glyph[0][1].y, 0.5);
  EXPECT_EQ(glyph[1][1].x, 0);
}

TEST(ParseGlyph, SmoothStrokesGoThroughTheirSquares) {
  const Polyline curve = parse_glyph("~a0e9i0a0")[0];
  ASSERT_EQ(curve.size(), 19u);  // six steps a square
  EXPECT_NEAR(curve[6].x, 0, 1e-12);
  EXPECT_NEAR(curve[6].y, 0.5, 1e-12);
  EXPECT_NEAR(curve[18].x, curve[0].x, 1e-12);
}

// A horizontal bar 2 pixels thick through the middle of 8x8 covers rows 3 and 4 fully and touches no other.
TEST(StrokeCanvas, CoversByDistance) {
  StrokeCanvas canvas(8);
  canvas.draw({{-1, 0.5}, {2, 0.5}}, 2.0 / 8);
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      EXPECT_EQ(canvas.coverage(x, y), y == 3 || y == 4 ? 1 : 0) << x << " " << y;
  canvas.clear();
  EXPECT_EQ(canvas.coverage(3, 3), 0);
}

// A dot of radius 1 at the centre of pixel (4, 4): its neighbours at distance 1 are half covered.
TEST(StrokeCanvas, SoftensTheEdge) {
  StrokeCanvas canvas(8);
  canvas.draw({{4.5 / 8, 4.5 / 8}, {4.5 / 8, 4.5 / 8}}, 2.0 / 8);
  EXPECT_EQ(canvas.coverage(4, 4), 1);
  EXPECT_NEAR(canvas.coverage(5, 4), 0.5, 1e-12);
  EXPECT_NEAR(canvas.coverage(5, 5), 1.5 - std::sqrt(2.0), 1e-12);
  EXPECT_EQ(canvas.coverage(6, 4), 0);
}

RC_GTEST_PROP(StrokeCanvas, StaysInsideWhereverTheStrokeIs, ()) {
  StrokeCanvas canvas(16);
  const auto coordinate = [] { return *rc::gen::inRange(-3000, 4000) / 1000.0; };
  canvas.draw({{coordinate(), coordinate()}, {coordinate(), coordinate()}},
              *rc::gen::inRange(1, 500) / 1000.0);
  for (std::size_t y = 0; y < 16; ++y)
    for (std::size_t x = 0; x < 16; ++x) RC_ASSERT(canvas.coverage(x, y) >= 0 && canvas.coverage(x, y) <= 1);
}

}  // namespace
}  // namespace mash
