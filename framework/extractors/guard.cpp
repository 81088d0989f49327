// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/guard.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>

#include "framework/base/utf8.hpp"
#include "framework/extractors/arithmetic_scope.hpp"
#include "framework/extractors/host.hpp"
#include "framework/extractors/image_maps.hpp"

namespace mash {
namespace {

// A NaN that no arithmetic makes: what is still there after a call was not written by it.
constexpr std::uint32_t kUnwritten = 0x7fc4d5a7;

std::mutex& serial_mutex() {
  static std::mutex mutex;
  return mutex;
}

Status check_values(const HeuristicInfo& info, std::span<const double> values) {
  if (values.size() != info.parameters.size())
    return failure("heuristic '{}': got {} parameter values, expected {}", info.id, values.size(),
                   info.parameters.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterInfo& parameter = info.parameters[i];
    const bool whole = parameter.type == ParameterInfo::Type::kReal || values[i] == std::trunc(values[i]);
    if (!whole || !(values[i] >= parameter.minimum && values[i] <= parameter.maximum))
      return failure("heuristic '{}': parameter '{}' is {}, expected a{} number from {} to {}", info.id,
                     parameter.id, values[i], parameter.type == ParameterInfo::Type::kReal ? "" : " whole",
                     parameter.minimum, parameter.maximum);
  }
  return Done{};
}

std::string describe_status(std::int32_t status, const std::string& text) {
  switch (status) {
    case MASH_ERROR: return text.empty() ? "failed without saying why" : text;
    case MASH_OUT_OF_MEMORY: return text.empty() ? "out of memory" : text;
    case MASH_UNSUPPORTED: return std::string(kRefusal) + (text.empty() ? "it does not say why" : text);
    default: return fmt::format("returned the unknown status {}{}{}", status, text.empty() ? "" : ": ", text);
  }
}

// Without a branch for each value: there are many, and hardly ever one that is not.
bool all_finite(std::span<const float> values) {
  unsigned finite = 1;
  for (const float value : values) finite &= unsigned(std::abs(value) <= std::numeric_limits<float>::max());
  return finite != 0;
}

FaultKind kind_of_fault(float value) {
  if (std::bit_cast<std::uint32_t>(value) == kUnwritten) return FaultKind::kNotWritten;
  if (std::isnan(value)) return FaultKind::kNaN;
  return value > 0 ? FaultKind::kInfinity : FaultKind::kMinusInfinity;
}

}  // namespace

std::string words_of(const FaultNote& fault) {
  constexpr std::string_view kWords[] = {"was not written", "is NaN", "is infinity", "is minus infinity"};
  const auto kind = std::min<std::size_t>(std::size_t(fault.kind), std::size(kWords) - 1);
  return fmt::format("feature {} {}", fault.feature_idx, kWords[kind]);
}

GuardedHeuristic::GuardedHeuristic(std::shared_ptr<const Plugin> plugin, std::size_t heuristic_idx,
                                   Remarks& remarks, CallObserver* observer)
    : plugin_(std::move(plugin)),
      functions_(*plugin_->descriptors()[heuristic_idx]),
      info_(plugin_->infos()[heuristic_idx]),
      remarks_(remarks),
      observer_(observer) {
  host_ = {std::uint32_t(sizeof host_), MASH_ABI_VERSION, this, &set_error, &drop_log, &get_extension};
}

Result<std::unique_ptr<GuardedHeuristic>> GuardedHeuristic::create(std::shared_ptr<const Plugin> plugin,
                                                                   std::size_t heuristic_idx,
                                                                   std::span<const double> values,
                                                                   std::uint32_t num_cameras,
                                                                   Remarks& remarks, CallObserver* observer) {
  std::unique_ptr<GuardedHeuristic> guarded(
      new GuardedHeuristic(std::move(plugin), heuristic_idx, remarks, observer));
  guarded->num_cameras_ = num_cameras;
  MASH_TRY(check_values(guarded->info_, values));
  mash_instance_t* instance = nullptr;
  MASH_TRY(guarded->call("create", [&] {
    return guarded->functions_.create(&guarded->host_, values.data(), std::uint32_t(values.size()),
                                      &instance);
  }));
  if (instance == nullptr) return guarded->blame("create", "returned MASH_OK without an instance");
  guarded->instance_ = instance;
  return guarded;
}

GuardedHeuristic::~GuardedHeuristic() {
  if (instance_ == nullptr) return;
  Status status = state_ == State::kPrepared ? release() : Status(Done{});
  if (!status.ok()) remarks_.warn(status.error().message);
  status = call("destroy", [&] {
    functions_.destroy(instance_);
    return std::int32_t(MASH_OK);
  });
  if (!status.ok()) remarks_.warn(status.error().message);
}

Result<std::uint32_t> GuardedHeuristic::dim(mash_size_t view_size) {
  if (view_size.width == 0 || view_size.height == 0)
    return failure("heuristic '{}': dim: asked about a view of {}x{} pixels", info_.id, view_size.width,
                   view_size.height);
  std::uint32_t found = 0;
  MASH_TRY(call("dim", [&] { return functions_.dim(instance_, view_size, &found); }));
  const std::string size = fmt::format("for views of {}x{} pixels", view_size.width, view_size.height);
  if (found == 0) return blame("dim", fmt::format("returned 0 features {}, expected at least 1", size));
  if (found > kMaxDim)
    return blame("dim", fmt::format("returned {} features {}, expected at most {}", found, size, kMaxDim));
  const auto [first, is_new] = dims_.emplace(std::pair(view_size.width, view_size.height), found);
  if (!is_new && first->second != found)
    return blame("dim", fmt::format("returned {} features {} and {} before, expected the same for ever",
                                    found, size, first->second));
  return found;
}

Status GuardedHeuristic::prepare(const mash_image_t& image, const mash_view_t& view,
                                 const mash_frame_t& frame) {
  MASH_TRY(require(State::kIdle, "prepare"));
  MASH_TRY(check_view(image, view));
  const auto known = dims_.find({view.width, view.height});
  if (known == dims_.end()) {
    MASH_ASSIGN(prepared_dim_, dim({view.width, view.height}));
  } else {
    prepared_dim_ = known->second;
  }
  frame_ = frame;
  mash_state_t* handle = nullptr;
  MASH_TRY(call("prepare", [&] { return functions_.prepare(instance_, &image, &view, &handle); }));
  if (handle == nullptr) return blame("prepare", "returned MASH_OK without a state");
  state_handle_ = handle;
  state_ = State::kPrepared;
  return Done{};
}

Status GuardedHeuristic::compute(std::span<const std::uint32_t> indices, std::span<float> out) {
  MASH_TRY(require(State::kPrepared, "compute"));
  MASH_TRY(check_request(indices, out));
  std::fill(out.begin(), out.end(), std::bit_cast<float>(kUnwritten));
  const std::uint32_t* wanted = indices.empty() ? nullptr : indices.data();
  MASH_TRY(call("compute", [&] {
    return functions_.compute(state_handle_, wanted, std::uint32_t(out.size()), out.data());
  }));
  note_faults(indices, out);
  return Done{};
}

Status GuardedHeuristic::release() {
  MASH_TRY(require(State::kPrepared, "release"));
  // In any case the state is gone: to release it again could free it twice.
  state_ = State::kIdle;
  mash_state_t* handle = std::exchange(state_handle_, nullptr);
  return call("release", [&] {
    functions_.release(handle);
    return std::int32_t(MASH_OK);
  });
}

template <class Function>
Status GuardedHeuristic::call(std::string_view name, const Function& function) {
  std::unique_lock<std::mutex> lock;
  if (info_.serial) lock = std::unique_lock(serial_mutex());
  error_text_.clear();
  if (observer_ != nullptr) observer_->begins(name);
  const ArithmeticScope scope;
  try {
    const std::int32_t status = function();
    if (status != MASH_OK) return blame(name, describe_status(status, error_text_));
    return Done{};
  } catch (const std::bad_alloc&) {
    return blame(name, "let std::bad_alloc out, expected MASH_OUT_OF_MEMORY");
  } catch (const std::exception& error) {
    return blame(name, fmt::format("let an exception out: {}", printable(error.what())));
  } catch (...) {
    return blame(name, "let an exception out that is not a std::exception");
  }
}

Status GuardedHeuristic::require(State state, std::string_view call_name) const {
  if (state_ == state) return Done{};
  if (state == State::kIdle)
    return failure("heuristic '{}': illegal {}: a view is prepared already, expected release first", info_.id,
                   call_name);
  return failure("heuristic '{}': illegal {}: no view is prepared, expected prepare first", info_.id,
                 call_name);
}

Status GuardedHeuristic::check_view(const mash_image_t& image, const mash_view_t& view) const {
  const auto within = [](std::uint32_t begin, std::uint32_t size, std::uint32_t limit) {
    return size > 0 && begin <= limit && size <= limit - begin;
  };
  if (!within(view.x, view.width, image.width) || !within(view.y, view.height, image.height))
    return failure(
        "heuristic '{}': prepare: view of {}x{} pixels at ({}, {}) is not within the image of {}x{}",
        info_.id, view.width, view.height, view.x, view.y, image.width, image.height);
  return Done{};
}

Status GuardedHeuristic::check_request(std::span<const std::uint32_t> indices,
                                       std::span<const float> out) const {
  const std::size_t expected = indices.empty() ? prepared_dim_ : indices.size();
  if (out.size() != expected)
    return failure("heuristic '{}': compute: room for {} values, expected {}", info_.id, out.size(),
                   expected);
  for (const std::uint32_t feature_idx : indices)
    if (feature_idx >= prepared_dim_)
      return failure("heuristic '{}': compute: asked for feature {}, expected less than {}", info_.id,
                     feature_idx, prepared_dim_);
  return Done{};
}

void GuardedHeuristic::note_faults(std::span<const std::uint32_t> indices, std::span<float> out) {
  if (all_finite(out)) return;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (std::isfinite(out[i])) continue;
    ++num_faults_;
    if (first_faults_.size() < kMaxFirstFaults) {
      const FaultNote note{indices.empty() ? std::uint32_t(i) : indices[i], kind_of_fault(out[i])};
      first_faults_.push_back({info_.id, "compute", words_of(note), note});
    }
    out[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

Error GuardedHeuristic::blame(std::string_view call_name, std::string_view what) const {
  return input_error("heuristic '{}': {}: {}", info_.id, call_name, what);
}

void GuardedHeuristic::set_error(void* context, const char* text) {
  static_cast<GuardedHeuristic*>(context)->error_text_ = printable(text);
}

// A heuristic's log is of use to its author, whom a check shows it.
void GuardedHeuristic::drop_log(void*, const char*) {}

const void* GuardedHeuristic::get_extension(void*, const char* name) {
  static const mash_frames_t frames{sizeof(mash_frames_t), 0, &num_cameras_of, &frame_of};
  if (name == nullptr) return nullptr;
  if (std::string_view(name) == MASH_IMAGE_MAPS) return &ImageMaps::table();
  return std::string_view(name) == MASH_SEQUENCE ? &frames : nullptr;
}

std::uint32_t GuardedHeuristic::num_cameras_of(void* context) {
  return static_cast<const GuardedHeuristic*>(context)->num_cameras_;
}

mash_frame_t GuardedHeuristic::frame_of(void* context) {
  return static_cast<const GuardedHeuristic*>(context)->frame_;
}

}  // namespace mash
