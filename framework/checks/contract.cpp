// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/contract.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/random.hpp"
#include "framework/checks/bench.hpp"
#include "mash/abi/whole_image.h"

namespace mash::checks {
namespace {

// Usual ones first: what is wrong with those counts most.
constexpr mash_size_t kSizes[] = {{28, 28}, {16, 16}, {31, 64}, {33, 17}, {200, 12}, {12, 200},
                                  {9, 13},  {7, 5},   {2, 3},   {40, 1},  {1, 40},   {1, 1}};

std::string name(mash_size_t size) { return fmt::format("{}x{}", size.width, size.height); }

Result<Finding> check_create(Bench& bench) {
  MASH_ASSIGN(const auto first, bench.open());
  MASH_ASSIGN(const auto second, bench.open());
  MASH_TRY(second->destroy());
  MASH_ASSIGN(const auto third, bench.open());
  MASH_TRY(first->destroy());
  MASH_TRY(third->destroy());
  return finding(Outcome::kPass, "three instances made and destroyed, out of order");
}

Result<Finding> check_dim_range(Bench& bench) {
  MASH_ASSIGN(const auto runner, bench.open());
  std::uint32_t largest = 0;
  for (const mash_size_t size : kSizes) {
    MASH_ASSIGN(const auto dim, runner->try_dim(size));
    if (!dim) continue;
    if (*dim == 0 || *dim > kMaxDim)
      return finding(Outcome::kFail, "{} features for {} pixels, expected 1 to {}", *dim, name(size),
                     kMaxDim);
    largest = std::max(largest, *dim);
  }
  if (largest == 0) MASH_TRY(bench.usual_size());
  return finding(Outcome::kPass, "at most {} features up to 200 pixels a side", largest);
}

Result<Finding> check_dim_constant(Bench& bench) {
  MASH_ASSIGN(const mash_size_t usual, bench.usual_size());
  MASH_ASSIGN(const auto sizes, bench.supported(kSizes));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t first, runner->dim(usual));
  const auto same = [&](Runner& asked, const char* when) -> Status {
    MASH_ASSIGN(const std::uint32_t now, asked.dim(usual));
    if (now != first)
      return input_error("{} features for {} pixels when first asked, {} {}", first, name(usual), now, when);
    return Done{};
  };
  MASH_TRY(same(*runner, "when asked again"));
  for (const mash_size_t size : sizes) MASH_TRY(runner->dim(size));
  MASH_TRY(same(*runner, "after other sizes"));
  const Picture picture(textured(bench.seed(), 1, usual, 3));
  MASH_TRY(runner->prepare(picture));
  MASH_TRY(same(*runner, "while a picture is prepared"));
  MASH_TRY(runner->release());
  MASH_TRY(same(*runner, "after a picture"));
  MASH_ASSIGN(const auto other, bench.open());
  MASH_TRY(same(*other, "from another instance"));
  return finding(Outcome::kPass, "{} features for {} pixels, six times", first, name(usual));
}

Result<Finding> check_sizes(Bench& bench) {
  MASH_ASSIGN(const auto runner, bench.open());
  std::vector<std::string> refused;
  std::size_t num_taken = 0;
  for (const mash_size_t size : kSizes)
    for (const std::uint32_t num_channels : {1u, 3u}) {
      MASH_ASSIGN(const auto dim, runner->try_dim(size));
      if (!dim) {
        if (num_channels == 1) refused.push_back(name(size));
        continue;
      }
      MASH_TRY(runner->features(Picture(textured(bench.seed(), 2, size, num_channels))));
      num_taken += num_channels == 1;
    }
  if (num_taken == 0) MASH_TRY(bench.usual_size());
  if (refused.empty()) return finding(Outcome::kPass, "all of {} sizes, grey and colour", num_taken);
  return finding(Outcome::kPass, "{} sizes, grey and colour; refuses {}", num_taken,
                 fmt::join(refused, ", "));
}

// The features of the same pixels in another layout, against the packed ones.
Result<Finding> compare_layouts(Bench& bench, std::span<const std::pair<const char*, Layout>> layouts) {
  constexpr mash_size_t kOdd[] = {{33, 17}, {17, 23}};
  MASH_ASSIGN(auto sizes, bench.supported(kOdd));
  MASH_ASSIGN(const mash_size_t usual, bench.usual_size());
  sizes.push_back(usual);
  MASH_ASSIGN(const auto runner, bench.open());
  for (const mash_size_t size : sizes)
    for (const std::uint32_t num_channels : {1u, 3u}) {
      const Pixels pixels = textured(bench.seed(), 3, size, num_channels);
      MASH_ASSIGN(const auto packed, runner->features(Picture(pixels)));
      for (const auto& [description, layout] : layouts) {
        MASH_ASSIGN(const auto values, runner->features(Picture(pixels, layout)));
        if (const auto different = difference(packed, "packed", values, description))
          return finding(Outcome::kFail, "on {} pixels, {} channels: {}", name(size), num_channels,
                         *different);
      }
    }
  return finding(Outcome::kPass, "{} layouts on {} sizes agree", layouts.size() + 1, sizes.size());
}

Result<Finding> check_strides(Bench& bench) {
  const std::pair<const char*, Layout> layouts[] = {
      {"with padded rows", {.row_padding = 7}},
      {"with 3 bytes a pixel", {.column_stride = 3}},
      {"with 2 bytes a pixel, padded rows, at an odd address",
       {.column_stride = 2, .row_padding = 5, .misalignment = 3}}};
  return compare_layouts(bench, layouts);
}

Result<Finding> check_views(Bench& bench) {
  if (bench.looks_at_whole_image())
    return finding(Outcome::kSkip, "it declares {}: it may look beyond its view", MASH_WHOLE_IMAGE);
  const std::pair<const char*, Layout> layouts[] = {
      {"as the right part of a larger image", {.left = 5}},
      {"as the lower part of a larger image", {.top = 4}},
      {"in the middle of a larger image", {.left = 3, .top = 5, .right = 2, .bottom = 1}}};
  return compare_layouts(bench, layouts);
}

Result<Finding> check_colour(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  const Pixels gray = textured(bench.seed(), 4, size, 1);
  MASH_ASSIGN(const auto as_gray, runner->features(Picture(gray)));
  MASH_ASSIGN(const auto in_colour, runner->features(Picture(as_colour(gray))));
  if (const auto different = difference(as_gray, "as a grey picture", in_colour, "with three equal channels"))
    return finding(Outcome::kFail, "{}", *different);
  return finding(Outcome::kPass, "a grey picture in three channels gives the same features");
}

Result<Finding> check_indices(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  const Picture picture(textured(bench.seed(), 5, size, 3));
  MASH_ASSIGN(const auto all, runner->features(picture));
  const auto dim = std::uint32_t(all.size());
  std::vector<std::uint32_t> in_order(dim);
  std::iota(in_order.begin(), in_order.end(), 0u);
  const std::vector<std::uint32_t> reversed(in_order.rbegin(), in_order.rend());
  RandomStream random(bench.seed(), "check: indices");
  std::vector<std::uint32_t> drawn(200);
  for (std::uint32_t& index : drawn) index = std::uint32_t(random.below(dim));
  const std::pair<const char*, std::vector<std::uint32_t>> lists[] = {
      {"by a list of all", in_order},
      {"in reverse order", reversed},
      {"drawn at random", drawn},
      {"the last one alone", {dim - 1}},
      {"one of them five times", std::vector<std::uint32_t>(5, dim / 2)}};
  for (const auto& [description, indices] : lists) {
    MASH_ASSIGN(const auto values, runner->features(picture, indices));
    std::vector<float> expected;
    for (const std::uint32_t index : indices) expected.push_back(all[index]);
    if (const auto different = difference(expected, "with null indices", values, description))
      return finding(Outcome::kFail, "of the list, {}", *different);
  }
  return finding(Outcome::kPass, "null, ordered, reversed, random, single and repeated agree");
}

Result<Finding> check_parameters(Bench& bench) {
  MASH_ASSIGN(const mash_size_t usual, bench.usual_size());
  const Picture picture(textured(bench.seed(), 6, usual, 3));
  std::size_t num_tried = 0, num_refused = 0;
  for (std::size_t i = 0; i < bench.info().parameters.size(); ++i) {
    const ParameterInfo& parameter = bench.info().parameters[i];
    for (const double value : {parameter.minimum, parameter.maximum}) {
      std::vector<double> values = bench.values();
      values[i] = value;
      const auto works = [&]() -> Result<bool> {
        MASH_ASSIGN(const auto runner, Runner::create(bench.process(), values));
        if (runner == nullptr) return false;
        MASH_ASSIGN(const auto dim, runner->try_dim(usual));
        if (!dim) return false;
        MASH_TRY(runner->features(picture));
        return true;
      }();
      if (!works.ok()) return works.error().at(fmt::format("{} = {}", parameter.id, value));
      ++num_tried;
      num_refused += !*works;
    }
  }
  if (num_tried == 0) return finding(Outcome::kPass, "it has no parameters");
  return finding(Outcome::kPass, "{} limits of {} parameters, {} refused", num_tried, num_tried / 2,
                 num_refused);
}

Result<Finding> check_life_cycle(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  const Picture first(pictures[0]), second(pictures[1]);
  MASH_ASSIGN(const auto fresh, bench.open());
  MASH_ASSIGN(const auto expected, fresh->features(second));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_TRY(runner->prepare(first));
  MASH_TRY(runner->release());  // without a compute
  MASH_TRY(runner->prepare(second));
  std::vector<float> out(expected.size());
  for (const char* when : {"at the first compute", "at the second", "at the third"}) {
    MASH_TRY(runner->compute({}, out));
    if (const auto different = difference(expected, "from a new instance", out, when))
      return finding(Outcome::kFail, "{}", *different);
  }
  MASH_TRY(runner->release());
  MASH_TRY(runner->destroy());
  return finding(Outcome::kPass, "release without compute, three computes after a prepare");
}

constexpr Check kContractChecks[] = {
    {"contract.create", Level::kContract, Outcome::kFail,
     "instances with default parameters are made and destroyed",
     "Make create succeed with the declared defaults, and let no exception out of it.", check_create},
    {"contract.dim-range", Level::kContract, Outcome::kFail, "dim is at least 1 and not absurd",
     "Throw mash::Unsupported (return MASH_UNSUPPORTED) from dim for sizes without features, and for no "
     "others.",
     check_dim_range},
    {"contract.dim-constant", Level::kContract, Outcome::kFail,
     "the same size gives the same dim: again, after other sizes and pictures, in another instance",
     "Compute dim from the parameters and the view's size alone.", check_dim_constant},
    {"contract.sizes", Level::kContract, Outcome::kFail,
     "1x1, odd, wide and tall views work, in grey and colour, or are refused by dim, and dim alone, with "
     "MASH_UNSUPPORTED",
     "Throw mash::Unsupported from dim for sizes that it cannot work on; every other call must then succeed.",
     check_sizes},
    {"contract.strides", Level::kContract, Outcome::kFail,
     "padded rows, several bytes a pixel and odd addresses change nothing",
     "Address samples as origin[y * row_stride + x * column_stride], or through mash::Plane.", check_strides},
    {"contract.views", Level::kContract, Outcome::kFail,
     "a part of a larger image gives what the cut-out copy gives",
     "Add the view's x and y to every coordinate, and look at nothing outside of it.", check_views},
    {"contract.colour", Level::kContract, Outcome::kFail,
     "a grey picture in three equal channels gives the same features",
     "Use the planes, which are there for grey pictures too, and do not branch on num_channels.",
     check_colour},
    {"contract.indices", Level::kContract, Outcome::kFail,
     "any order, repeats, a single index and all at once give the same values",
     "Write feature indices[i] to out[i], and all features in order where indices is NULL.", check_indices},
    {"contract.parameters", Level::kContract, Outcome::kFail,
     "each parameter works at its minimum and its maximum",
     "Narrow the declared range to what works, or return MASH_UNSUPPORTED from create.", check_parameters},
    {"contract.life-cycle", Level::kContract, Outcome::kFail,
     "release without compute and several computes after one prepare",
     "Leave the prepared state as it is in compute, and free it in release only.", check_life_cycle},
};

}  // namespace

std::span<const Check> contract_checks() { return kContractChecks; }

}  // namespace mash::checks
