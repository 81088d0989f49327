// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/values.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "framework/checks/bench.hpp"
#include "framework/checks/sanitized.hpp"

namespace mash::checks {
namespace {

Result<Finding> check_written(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  MASH_ASSIGN(const auto runner, bench.open());
  // Two NaNs that no arithmetic makes: a value that is the one after the one and the other after the other
  // was not written.
  constexpr std::uint32_t kFills[] = {0x7fc4d5a7, 0xffe5a4c3};
  std::size_t num_values = 0;
  for (const Pixels& pixels : pictures) {
    const Picture picture(pixels);
    MASH_ASSIGN(const std::uint32_t dim, runner->dim(picture.size()));
    std::vector<std::uint32_t> every_third;
    for (std::uint32_t i = 0; i < dim; i += 3) every_third.push_back(i);
    for (const auto& indices : {std::vector<std::uint32_t>(), every_third}) {
      std::vector<std::vector<float>> results;
      for (const std::uint32_t fill : kFills) {
        auto& out = results.emplace_back(indices.empty() ? dim : indices.size(), std::bit_cast<float>(fill));
        MASH_TRY(runner->prepare(picture));
        MASH_TRY(runner->compute(indices, out, {.fill = fill}));
        MASH_TRY(runner->release());
      }
      for (std::size_t i = 0; i < results[0].size(); ++i)
        if (std::bit_cast<std::uint32_t>(results[0][i]) == kFills[0] &&
            std::bit_cast<std::uint32_t>(results[1][i]) == kFills[1])
          return finding(Outcome::kFail, "out[{}] of {} is not written {}", i, results[0].size(),
                         indices.empty() ? "with null indices" : "with every third feature wanted");
      num_values += results[0].size();
    }
  }
  return finding(Outcome::kPass, "all of {} values, over two fills", num_values);
}

// The usual pictures and what is easy to stumble over.
Result<std::vector<std::pair<std::string, Pixels>>> varied_pictures(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  return std::vector<std::pair<std::string, Pixels>>{
      {"a textured picture", textured(bench.seed(), 7, size, 1)},
      {"a textured colour picture", textured(bench.seed(), 8, size, 3)},
      {"noise", noise(bench.seed(), size, 3)},
      {"a digit", digit(bench.seed(), 1, size)}};
}

// The first value for which `is_wrong` holds, in words.
template <class Predicate>
Result<Finding> check_each_value(Bench& bench, Outcome outcome, std::string_view good,
                                 const Predicate& is_wrong) {
  MASH_ASSIGN(const auto pictures, varied_pictures(bench));
  MASH_ASSIGN(const auto runner, bench.open());
  std::size_t num_values = 0;
  for (const auto& [name, pixels] : pictures) {
    MASH_ASSIGN(const auto values, runner->features(Picture(pixels)));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (is_wrong(values[i])) return finding(outcome, "feature {} of {} is {}", i, name, values[i]);
    num_values += values.size();
  }
  return finding(Outcome::kPass, "{} values are {}", num_values, good);
}

Result<Finding> check_finite(Bench& bench) {
  return check_each_value(bench, Outcome::kFail, "finite", [](float value) { return !std::isfinite(value); });
}

Result<Finding> check_subnormal(Bench& bench) {
  return check_each_value(bench, Outcome::kWarn, "normal or 0",
                          [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; });
}

// Sizes whose rows end at all kinds of offsets, and the usual one.
Result<std::vector<mash_size_t>> fenced_sizes(Bench& bench) {
  constexpr mash_size_t kSizes[] = {{33, 17}, {9, 13}, {64, 64}};
  MASH_ASSIGN(auto sizes, bench.supported(kSizes));
  MASH_ASSIGN(const mash_size_t usual, bench.usual_size());
  sizes.push_back(usual);
  return sizes;
}

Result<Finding> check_input(Bench& bench) {
  MASH_ASSIGN(const auto sizes, fenced_sizes(bench));
  MASH_ASSIGN(const auto runner, bench.open());
  for (const mash_size_t size : sizes)
    for (const std::uint32_t num_channels : {1u, 3u}) {
      Picture picture(textured(bench.seed(), 9, size, num_channels), {}, Fence::kReadOnly);
      picture.forbid_writing();
      MASH_TRY(runner->features(picture));
    }
  return finding(Outcome::kPass, "{} read-only pictures", 2 * sizes.size());
}

Result<Finding> check_row_bounds(Bench& bench) {
  MASH_ASSIGN(const auto sizes, fenced_sizes(bench));
  MASH_ASSIGN(const auto runner, bench.open());
  for (const mash_size_t size : sizes)
    for (const std::uint32_t num_channels : {1u, 3u})
      for (const Fence fence : {Fence::kAfterRows, Fence::kBeforeRows})
        MASH_TRY(runner->features(Picture(textured(bench.seed(), 10, size, num_channels), {}, fence)));
  return finding(Outcome::kPass, "{} pictures with forbidden pages between their rows", 4 * sizes.size());
}

// A heuristic that takes random numbers is not at fault here: two processes with equal memory must agree.
Result<Finding> check_initialised(Bench& bench) {
  constexpr std::uint8_t kFirst = 0x5A, kSecond = 0xA5;  // as floats 1.5e16 and -2.9e-16
  MASH_ASSIGN(const auto values, bench.features_elsewhere({.fill = kFirst}));
  MASH_ASSIGN(const auto others, bench.features_elsewhere({.fill = kSecond}));
  if (!difference(*values, "", *others, ""))
    return finding(Outcome::kPass, "{} values are equal with any content of new memory", values->size());
  MASH_ASSIGN(const auto again, bench.features_elsewhere({.fill = kFirst}));
  if (difference(*values, "", *again, ""))
    return finding(Outcome::kSkip, "two processes differ anyway, see determinism.process");
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(size));
  for (std::size_t begin = 0; begin + dim <= std::min(values->size(), others->size()); begin += dim)
    if (const auto different = difference(std::span(*values).subspan(begin, dim), "over memory full of 0x5a",
                                          std::span(*others).subspan(begin, dim), "over memory full of 0xa5"))
      return finding(Outcome::kFail, "reads memory that it never wrote to: {}", *different);
  return finding(Outcome::kFail, "reads memory that it never wrote to: {} values, then {}", values->size(),
                 others->size());
}

// run_sanitized is this check where there is a source.
Result<Finding> check_sanitizers(Bench&) {
  return finding(Outcome::kSkip, "for a C++ source or a project's folder alone, outside of a box");
}

Result<Finding> check_plane_bounds(Bench& bench) {
  MASH_ASSIGN(const auto sizes, fenced_sizes(bench));
  MASH_ASSIGN(const auto runner, bench.open());
  const Layout layouts[] = {{}, {.column_stride = 3, .row_padding = 5}};
  for (const mash_size_t size : sizes)
    for (const std::uint32_t num_channels : {1u, 3u})
      for (const Layout& layout : layouts)
        for (const Fence fence : {Fence::kAfter, Fence::kBefore})
          MASH_TRY(runner->features(Picture(textured(bench.seed(), 10, size, num_channels), layout, fence)));
  return finding(Outcome::kPass, "{} pictures between forbidden pages", 8 * sizes.size());
}

// Computes into and by guarded arrays, all features and some.
Status compute_guarded(Runner& runner, const Picture& picture, const ComputeMemory& memory) {
  MASH_ASSIGN(const std::uint32_t dim, runner.dim(picture.size()));
  const std::uint32_t counts[] = {1, (dim + 1) / 2, dim};
  MASH_TRY(runner.prepare(picture));
  for (const std::uint32_t count : counts) {
    std::vector<float> values(count);
    std::vector<std::uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), dim - count);
    MASH_TRY(runner.compute(indices, values, memory));
    if (count == dim) MASH_TRY(runner.compute({}, values, memory));
  }
  return runner.release();
}

Result<Finding> check_out_bounds(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  MASH_ASSIGN(const auto runner, bench.open());
  for (const Placement placement : {Placement::kEndsAtPage, Placement::kBeginsAtPage})
    MASH_TRY(compute_guarded(*runner, Picture(pictures[0]),
                             {.out = placement, .indices = Placement::kBeginsAtPage}));
  return finding(Outcome::kPass, "output arrays of three lengths between forbidden pages");
}

Result<Finding> check_index_bounds(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  MASH_ASSIGN(const auto runner, bench.open());
  for (const Placement placement : {Placement::kEndsAtPage, Placement::kBeginsAtPage})
    MASH_TRY(compute_guarded(*runner, Picture(pictures[0]),
                             {.out = Placement::kBeginsAtPage, .indices = placement}));
  return finding(Outcome::kPass, "read-only index arrays of three lengths between forbidden pages");
}

constexpr Check kValueChecks[] = {
    {"values.written", Level::kValues, Outcome::kFail, "compute writes every value that it is asked for",
     "Write out[0] to out[num_features - 1] on every path through compute.", check_written},
    {"values.finite", Level::kValues, Outcome::kFail, "no value is NaN or infinite",
     "Guard divisions, roots and logarithms against 0 and negative numbers.", check_finite},
    {"values.subnormal", Level::kValues, Outcome::kWarn,
     "no value is subnormal, which is slow and near 0 for no reason",
     "Scale the feature, or set what is smaller than 1e-30 to 0.", check_subnormal},
    {"values.input", Level::kValues, Outcome::kFail, "the picture is not written to",
     "Copy the pixels in prepare if they must be changed.", check_input},
    {"values.initialised", Level::kValues, Outcome::kFail,
     "what new memory, of the heap and of the stack, holds makes no difference",
     "Give every variable and every element of an array a value before it is read.", check_initialised},
    {"values.row-bounds", Level::kValues, Outcome::kFail,
     "nothing outside the rows of a picture is read or written",
     "Keep 0 <= x < width and 0 <= y < height for every sample, window borders included, and go from row "
     "to row by row_stride.",
     check_row_bounds},
    {"values.plane-bounds", Level::kValues, Outcome::kFail, "nothing outside the planes is read or written",
     "Keep 0 <= x < width and 0 <= y < height for every sample, window borders included.",
     check_plane_bounds},
    {kSanitizersCheck, Level::kValues, Outcome::kFail,
     "its source, built with address and undefined-behaviour sanitizers, gives them nothing to report",
     "Correct the line that is named.", check_sanitizers},
    {"values.out-bounds", Level::kValues, Outcome::kFail,
     "nothing outside the output array is read or written",
     "Write num_features values and no more, even if fewer than dim are wanted.", check_out_bounds},
    {"values.index-bounds", Level::kValues, Outcome::kFail,
     "nothing outside the index array is read, and nothing in it written",
     "Read indices[0] to indices[num_features - 1] only.", check_index_bounds},
};

}  // namespace

std::span<const Check> values_checks() { return kValueChecks; }

}  // namespace mash::checks
