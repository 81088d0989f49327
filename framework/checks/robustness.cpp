// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/robustness.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/checks/bench.hpp"

namespace mash::checks {
namespace {

// That all features of the picture can be had and are finite. Where there are very many, some are asked for.
Status expect_finite(Runner& runner, const Pixels& pixels, std::string_view name) {
  constexpr std::uint32_t kMaxFeatures = 1 << 20;
  const Picture picture(pixels);
  MASH_ASSIGN(const std::uint32_t dim, runner.dim(pixels.size));
  std::vector<std::uint32_t> indices;
  if (dim > kMaxFeatures)
    for (std::uint32_t i = 0; i < dim; i += dim / 10'000) indices.push_back(i);
  const auto values = runner.features(picture, indices);
  if (!values.ok()) return values.error().at(name);
  for (std::size_t i = 0; i < values->size(); ++i)
    if (!std::isfinite((*values)[i]))
      return input_error("feature {} of {} is {}", indices.empty() ? i : indices[i], name, (*values)[i]);
  return Done{};
}

// Colours in which a channel is 0 and another is not, and ratios of channels are infinite.
struct PureColour {
  std::string_view name;
  Rgb rgb;
};
constexpr PureColour kPureColours[] = {{"red", {255, 0, 0}},       {"green", {0, 255, 0}},
                                       {"blue", {0, 0, 255}},      {"cyan", {0, 255, 255}},
                                       {"magenta", {255, 0, 255}}, {"yellow", {255, 255, 0}}};

Result<Finding> check_flat(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  for (const int value : {0, 128, 255})
    MASH_TRY(expect_finite(*runner, flat(std::uint8_t(value), size),
                           fmt::format("a picture of {} everywhere", value)));
  for (std::size_t i = 0; i < std::size(kPureColours); ++i) {
    const auto& [name, rgb] = kPureColours[i];
    const auto& [other_name, other] = kPureColours[(i + 1) % std::size(kPureColours)];
    MASH_TRY(expect_finite(*runner, two_colours(rgb, rgb, size), fmt::format("a {} picture", name)));
    MASH_TRY(expect_finite(*runner, two_colours(rgb, other, size),
                           fmt::format("a picture of a {} and a {} half", name, other_name)));
  }
  return finding(Outcome::kPass, "black, grey, white, {} pure colours and halves of them",
                 std::size(kPureColours));
}

Result<Finding> check_checkerboard(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  for (const std::uint32_t cell : {1u, 2u, 7u})
    MASH_TRY(expect_finite(*runner, checkerboard(cell, size),
                           fmt::format("a checkerboard of {} pixels a cell", cell)));
  return finding(Outcome::kPass, "cells of 1, 2 and 7 pixels");
}

Result<Finding> check_noise(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  constexpr std::uint64_t kNumPictures = 20;
  for (std::uint64_t i = 0; i < kNumPictures; ++i)
    MASH_TRY(expect_finite(*runner, noise(bench.seed() + i, size, i % 2 == 0 ? 1 : 3),
                           fmt::format("noise picture {}", i)));
  return finding(Outcome::kPass, "{} pictures", kNumPictures);
}

Result<Finding> check_tiny(Bench& bench) {
  MASH_ASSIGN(const auto runner, bench.open());
  std::size_t num_taken = 0;
  for (std::uint32_t width = 1; width <= 5; ++width)
    for (std::uint32_t height = 1; height <= 5; ++height) {
      MASH_ASSIGN(const auto dim, runner->try_dim({width, height}));
      if (!dim) continue;
      ++num_taken;
      MASH_TRY(expect_finite(*runner, textured(bench.seed(), 11, {width, height}, 1),
                             fmt::format("a picture of {}x{}", width, height)));
      MASH_TRY(expect_finite(*runner, flat(0, {width, height}),
                             fmt::format("a black picture of {}x{}", width, height)));
    }
  return finding(Outcome::kPass, "{} sizes up to 5x5, {} refused", num_taken, 25 - num_taken);
}

// Whether the heuristic has features for a size, and no more than the host takes.
Result<bool> takes(Runner& runner, mash_size_t size) {
  MASH_ASSIGN(const auto dim, runner.try_dim(size));
  return dim && *dim <= kMaxDim;
}

// A picture of one or two colours, whose runs and areas are as long as a size allows.
struct Structure {
  std::string_view name;
  Pixels (*make)(mash_size_t size);
};
constexpr Structure kStructures[] = {
    {"black", [](mash_size_t size) { return flat(0, size); }},
    {"white in its right half",
     [](mash_size_t size) {
       return two_valued(size, [=](std::uint32_t x, std::uint32_t) { return 2 * x >= size.width; });
     }},
    {"one white dot",
     [](mash_size_t size) {
       return two_valued(size, [=](std::uint32_t x, std::uint32_t y) {
         return 2 * x == size.width && 2 * y == size.height;
       });
     }},
    {"red in its left half, green in its right half",
     [](mash_size_t size) {
       return two_colours({255, 0, 0}, {0, 255, 0}, size);
     }},
    {"chequered, 4x4", [](mash_size_t size) { return checkerboard(size.width / 4, size); }},
    {"white", [](mash_size_t size) { return flat(255, size); }},
    {"white in its lower half",
     [](mash_size_t size) {
       return two_valued(size, [=](std::uint32_t, std::uint32_t y) { return 2 * y >= size.height; });
     }},
    {"one black dot",
     [](mash_size_t size) {
       return two_valued(size, [=](std::uint32_t x, std::uint32_t y) {
         return 2 * x != size.width || 2 * y != size.height;
       });
     }},
    {"chequered, pixel by pixel", [](mash_size_t size) { return checkerboard(1, size); }},
    {"blue",
     [](mash_size_t size) {
       return two_colours({0, 0, 255}, {0, 0, 255}, size);
     }},
    {"yellow in its left half, magenta in its right half", [](mash_size_t size) {
       return two_colours({255, 255, 0}, {255, 0, 255}, size);
     }}};

// Pictures are shown as long as a sixth of the check's time lasts, by what those before took: a heuristic may
// be slow, and built with sanitizers all are.
Result<Finding> check_structured(Bench& bench) {
  constexpr mash_size_t kSides[] = {{512, 512}, {2048, 2048}};
  constexpr double kTimesAsLarge = 16, kReserve = 2;
  MASH_ASSIGN(const auto runner, bench.open());
  const double seconds = bench.target().time_limit_s / 6;
  const Stopwatch watch;
  double last = 0;  // seconds of the picture before
  std::vector<std::string> shown;
  for (const mash_size_t size : kSides) {
    const std::string name = fmt::format("{}x{}", size.width, size.height);
    MASH_ASSIGN(const bool is_taken, takes(*runner, size));
    std::size_t num_shown = 0;
    double expected = kReserve * kTimesAsLarge * last;
    for (const Structure& picture : kStructures) {
      if (!is_taken || watch.seconds() + expected > seconds) break;
      const Stopwatch of_picture;
      MASH_TRY(expect_finite(*runner, picture.make(size),
                             fmt::format("a picture of {} ({})", name, picture.name)));
      last = of_picture.seconds();
      expected = kReserve * last;
      ++num_shown;
    }
    shown.push_back(fmt::format("{} of {}{}", num_shown, name, is_taken ? "" : " (refused)"));
  }
  return finding(Outcome::kPass, "pictures: {}", fmt::join(shown, ", "));
}

Result<Finding> check_huge(Bench& bench) {
  constexpr mash_size_t kHuge = {2048, 2048};
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const auto dim, runner->try_dim(kHuge));
  if (!dim) return finding(Outcome::kPass, "refused with MASH_UNSUPPORTED");
  if (*dim > kMaxDim)
    return finding(Outcome::kPass, "{} features, more than the host takes ({}): such pictures are refused",
                   *dim, kMaxDim);
  MASH_TRY(expect_finite(*runner, noise(bench.seed(), kHuge, 1), "a picture of 2048x2048"));
  return finding(Outcome::kPass, "2048x2048 pixels, {} features", *dim);
}

constexpr Check kRobustnessChecks[] = {
    {"robustness.flat", Level::kRobustness, Outcome::kFail,
     "pictures of one colour or two give finite values",
     "Expect variance, range and gradient to be 0: test the divisor or add a small constant to it.",
     check_flat},
    {"robustness.checkerboard", Level::kRobustness, Outcome::kFail,
     "checkerboards of 1, 2 and 7 pixels give finite values",
     "Expect the largest contrast between neighbours: sums may exceed 8 and 16 bits.", check_checkerboard},
    {"robustness.noise", Level::kRobustness, Outcome::kFail, "noise gives finite values",
     "Bound loops and tables by the picture's size and not by what a picture usually holds.", check_noise},
    {"robustness.tiny", Level::kRobustness, Outcome::kFail,
     "all sizes up to 5x5 give finite values or are refused with MASH_UNSUPPORTED",
     "Throw mash::Unsupported from dim for views smaller than the largest window.", check_tiny},
    {"robustness.huge", Level::kRobustness, Outcome::kFail,
     "2048x2048 pixels are worked on in time or refused",
     "Use std::size_t for offsets and heap memory for pictures, and throw mash::Unsupported above what is "
     "feasible.",
     check_huge},
    {"robustness.structured", Level::kRobustness, Outcome::kFail,
     "black, halved, dotted and chequered pictures of 512x512 and 2048x2048 give finite values",
     "Expect runs and areas as long as the picture: counts exceed 8 and 16 bits, and tables of 256 end.",
     check_structured},
};

}  // namespace

std::span<const Check> robustness_checks() { return kRobustnessChecks; }

}  // namespace mash::checks
