// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/runner.hpp"

#include <algorithm>
#include <limits>

#include "framework/base/ordered_bits.hpp"
#include "framework/base/require.hpp"
#include "framework/extractors/heuristic_info.hpp"

namespace mash::checks {

Result<std::unique_ptr<Runner>> Runner::create(CheckProcess& process, std::span<const double> values) {
  Step step{StepKind::kCreate};
  step.values.assign(values.begin(), values.end());
  MASH_ASSIGN(const StepAnswer answer, process.ask(step));
  if (answer.is_refused) return std::unique_ptr<Runner>();
  MASH_ASSIGN(const std::uint64_t id, answer.number(0));
  return std::unique_ptr<Runner>(new Runner(process, id));
}

Runner::~Runner() {
  if (is_prepared_) (void)release();
  if (is_there_) (void)destroy();
}

Result<std::optional<std::uint32_t>> Runner::try_dim(mash_size_t size) {
  Step asked = step(StepKind::kDim);
  asked.size = size;
  MASH_ASSIGN(const StepAnswer answer, process_.ask(asked));
  if (answer.is_refused) return std::optional<std::uint32_t>();
  MASH_ASSIGN(const std::uint64_t found, answer.number(0));
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return std::optional(std::uint32_t(std::min(found, kMost)));
}

Result<std::uint32_t> Runner::dim(mash_size_t size) {
  MASH_ASSIGN(const auto found, try_dim(size));
  const std::string place = fmt::format("{}x{}", size.width, size.height);
  if (!found) return input_error("{}: dim returned MASH_UNSUPPORTED", place);
  if (*found == 0 || *found > kMaxDim)
    return input_error("dim gives {} features for {} pixels, expected 1 to {}", *found, place, kMaxDim);
  return *found;
}

Status Runner::prepare(const Picture& picture, const mash_frame_t& frame) {
  Step asked = step(StepKind::kPrepare);
  asked.add(picture);
  asked.frame = frame;
  MASH_TRY(process_.ask(asked));
  is_prepared_ = true;
  return Done{};
}

Status Runner::compute(std::span<const std::uint32_t> indices, std::span<float> out,
                       const ComputeMemory& memory) {
  require(is_prepared_, "Runner::compute: prepared");
  Step asked = step(StepKind::kCompute);
  asked.indices.assign(indices.begin(), indices.end());
  asked.num_values = out.size();
  asked.fill = memory.fill;
  asked.out_placement = memory.out;
  asked.index_placement = memory.indices;
  MASH_ASSIGN(const StepAnswer answer, process_.ask(asked, out.size()));
  std::copy(answer.values.begin(), answer.values.end(), out.begin());
  return Done{};
}

Status Runner::release() {
  is_prepared_ = false;
  MASH_TRY(process_.ask(step(StepKind::kRelease)));
  return Done{};
}

Status Runner::destroy() {
  is_there_ = false;
  MASH_TRY(process_.ask(step(StepKind::kDestroy)));
  return Done{};
}

Result<std::vector<float>> Runner::features(const Picture& picture, std::span<const std::uint32_t> indices) {
  std::size_t num_values = indices.size();
  if (indices.empty()) {
    MASH_ASSIGN(num_values, dim(picture.size()));
  }
  std::vector<float> out(num_values);
  MASH_TRY(prepare(picture));
  MASH_TRY(compute(indices, out));
  MASH_TRY(release());
  return out;
}

std::string_view failed_call(std::string_view evidence) {
  std::size_t begin = std::string_view::npos;
  for (const std::string_view call : {"create", "dim", "prepare", "compute", "release", "destroy"})
    for (const std::string_view verb : {" returned ", " let an exception out"})
      begin = std::min(begin, evidence.find(fmt::format("{}{}", call, verb)));
  return begin == std::string_view::npos ? "" : evidence.substr(begin);
}

std::optional<std::string> difference(std::span<const float> a, std::string_view first,
                                      std::span<const float> b, std::string_view second) {
  if (a.size() != b.size()) return fmt::format("{} features {} and {} {}", a.size(), first, b.size(), second);
  std::size_t num_different = 0, first_idx = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i]) && num_different++ == 0) first_idx = i;
  if (num_different == 0) return std::nullopt;
  return fmt::format("feature {} is {} {} and {} {} ({} of {} differ)", first_idx, a[first_idx], first,
                     b[first_idx], second, num_different, a.size());
}

}  // namespace mash::checks
