// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/direct_calls.hpp"

#include <algorithm>
#include <mutex>

#include "framework/base/require.hpp"
#include "framework/base/utf8.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/entry.h"

namespace mash::checks {
namespace {

std::mutex log_mutex;
std::function<void(const std::string&)> log_listener;
std::vector<std::string> log_lines;

void take_log_line(void*, const char* text) {
  const std::lock_guard lock(log_mutex);
  if (!log_listener || log_lines.size() == kMaxLogLines) return;
  std::string line = printable(text, kMaxLogLine);
  if (std::find(log_lines.begin(), log_lines.end(), line) != log_lines.end()) return;
  log_listener(log_lines.emplace_back(std::move(line)));
}
std::uint32_t one_camera(void*) { return 1; }

// For the length of a call, a crash is one of that call.
class CallScope {
 public:
  CallScope(const char* name, mash_size_t size) { note_call({name, size}); }
  ~CallScope() { note_call({}); }
};

}  // namespace

void hear_logs(std::function<void(const std::string&)> listener) {
  const std::lock_guard lock(log_mutex);
  log_listener = std::move(listener);
}

DirectCalls::DirectCalls(const mash_heuristic_t& functions) : functions_(functions) {
  host_ = {std::uint32_t(sizeof host_), MASH_ABI_VERSION, this, &set_error, &take_log_line, &get_extension};
}

DirectCalls::~DirectCalls() {
  if (state_ != nullptr) (void)release();
  if (instance_ != nullptr) (void)destroy();
}

Result<std::unique_ptr<DirectCalls>> DirectCalls::create(const mash_heuristic_t& functions,
                                                         std::span<const double> values) {
  std::unique_ptr<DirectCalls> runner(new DirectCalls(functions));
  mash_instance_t* instance = nullptr;
  MASH_ASSIGN(const std::int32_t status, runner->status_of("create", [&] {
    return functions.create(&runner->host_, values.data(), std::uint32_t(values.size()), &instance);
  }));
  if (status == MASH_UNSUPPORTED) return std::unique_ptr<DirectCalls>();
  if (status != MASH_OK) return runner->error("create", status);
  if (instance == nullptr) return input_error("create returned MASH_OK without an instance");
  runner->instance_ = instance;
  return runner;
}

Result<std::optional<std::uint32_t>> DirectCalls::try_dim(mash_size_t size) {
  std::uint32_t found = 0;
  size_of_call_ = size;
  MASH_ASSIGN(const std::int32_t status,
              status_of("dim", [&] { return functions_.dim(instance_, size, &found); }));
  if (status == MASH_UNSUPPORTED) return std::optional<std::uint32_t>();
  if (status != MASH_OK) return error("dim", status).at(fmt::format("{}x{}", size.width, size.height));
  return std::optional(found);
}

Result<std::uint32_t> DirectCalls::dim(mash_size_t size) {
  MASH_ASSIGN(const auto found, try_dim(size));
  if (!found) return error("dim", MASH_UNSUPPORTED).at(fmt::format("{}x{}", size.width, size.height));
  if (*found == 0 || *found > kMaxDim)
    return input_error("dim gives {} features for {}x{} pixels, expected 1 to {}", *found, size.width,
                       size.height, kMaxDim);
  return *found;
}

void DirectCalls::set_error(void* context, const char* text) {
  static_cast<DirectCalls*>(context)->text_ = printable(text);
}

const void* DirectCalls::get_extension(void*, const char* name) {
  static const mash_frames_t frames{sizeof(mash_frames_t), 0, &one_camera, &frame_of};
  return name != nullptr && std::string_view(name) == MASH_SEQUENCE ? &frames : nullptr;
}

mash_frame_t DirectCalls::frame_of(void* context) { return static_cast<const DirectCalls*>(context)->frame_; }

Status DirectCalls::prepare(const LaidOutPicture& picture, const mash_frame_t& frame) {
  frame_ = frame;
  prepared_size_ = size_of_call_ = picture.size();
  mash_state_t* state = nullptr;
  MASH_ASSIGN(const std::int32_t status, status_of("prepare", [&] {
                return functions_.prepare(instance_, &picture.image(), &picture.view(), &state);
              }));
  if (status != MASH_OK)
    return error("prepare", status).at(fmt::format("{}x{}", prepared_size_.width, prepared_size_.height));
  if (state == nullptr) return input_error("prepare returned MASH_OK without a state");
  state_ = state;
  return Done{};
}

Status DirectCalls::compute(std::span<const std::uint32_t> indices, std::span<float> out) {
  require(state_ != nullptr, "DirectCalls::compute: prepared");
  MASH_ASSIGN(const std::int32_t status, status_of("compute", [&] {
                return functions_.compute(state_, indices.empty() ? nullptr : indices.data(),
                                          std::uint32_t(out.size()), out.data());
              }));
  if (status == MASH_OK) return Done{};
  return error("compute", status).at(fmt::format("{}x{}", prepared_size_.width, prepared_size_.height));
}

Status DirectCalls::release() {
  mash_state_t* state = std::exchange(state_, nullptr);
  MASH_TRY(status_of("release", [&] {
    functions_.release(state);
    return std::int32_t(MASH_OK);
  }));
  return Done{};
}

Status DirectCalls::destroy() {
  mash_instance_t* instance = std::exchange(instance_, nullptr);
  MASH_TRY(status_of("destroy", [&] {
    functions_.destroy(instance);
    return std::int32_t(MASH_OK);
  }));
  return Done{};
}

Result<std::vector<float>> DirectCalls::features(const LaidOutPicture& picture,
                                                 std::span<const std::uint32_t> indices) {
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

template <class Function>
Result<std::int32_t> DirectCalls::status_of(const char* call, const Function& function) {
  text_.clear();
  const CallScope scope(call, size_of_call_);
  try {
    return function();
  } catch (const std::exception& error) {
    return input_error("{} let an exception out: {}", call, printable(error.what()));
  } catch (...) {
    return input_error("{} let an exception out that is not a std::exception", call);
  }
}

Error DirectCalls::error(const char* call, std::int32_t status) const {
  constexpr std::string_view kNames[] = {"MASH_OK", "MASH_ERROR", "MASH_OUT_OF_MEMORY", "MASH_UNSUPPORTED"};
  const std::string name =
      status >= 0 && status < 4 ? std::string(kNames[status]) : fmt::format("the unknown status {}", status);
  return input_error("{} returned {}{}{}", call, name, text_.empty() ? ", without saying why" : ": ", text_);
}

}  // namespace mash::checks
