// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/checks/picture.hpp"
#include "mash/abi/sequence.h"

namespace mash::checks {

// One instance of a heuristic, called as it is: GuardedHeuristic corrects values and refuses wrong calls, and
// a check wants to see what the plugin does by itself. Status codes and escaped exceptions become errors that
// name the call; what a plugin writes to memory is not looked at.
class Runner {
 public:
  // Null where the heuristic refuses the values with MASH_UNSUPPORTED.
  static Result<std::unique_ptr<Runner>> create(const mash_heuristic_t& functions,
                                                std::span<const double> values);
  // Releases what is prepared, destroys the instance. What these let out is lost: call the functions to know.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Nothing where the size is refused with MASH_UNSUPPORTED.
  Result<std::optional<std::uint32_t>> try_dim(mash_size_t size);
  Result<std::uint32_t> dim(mash_size_t size);
  // frame: what it is told of the picture's sequence.
  Status prepare(const Picture& picture, const mash_frame_t& frame = {0, 0, 1});
  // All features where indices is empty. REQUIRES: prepared
  Status compute(std::span<const std::uint32_t> indices, std::span<float> out);
  Status release();
  Status destroy();

  // prepare, compute, release.
  Result<std::vector<float>> features(const Picture& picture, std::span<const std::uint32_t> indices = {});

 private:
  explicit Runner(const mash_heuristic_t& functions);
  // The result of a call of the plugin, or that it let an exception out.
  template <class Function>
  Result<std::int32_t> status_of(const char* call, const Function& function);
  Error error(const char* call, std::int32_t status) const;
  static void set_error(void* context, const char* text);
  static const void* get_extension(void* context, const char* name);
  static mash_frame_t frame_of(void* context);

  const mash_heuristic_t& functions_;
  mash_host_t host_{};
  mash_instance_t* instance_ = nullptr;
  mash_state_t* state_ = nullptr;
  mash_frame_t frame_{};
  mash_size_t prepared_size_{};
  mash_size_t size_of_call_{};  // of the last dim or prepare
  std::string text_;            // of the call in progress
};

// Hears what heuristics log in this process: the first lines, each once.
inline constexpr std::size_t kMaxLogLines = 20, kMaxLogLine = 200;  // lines, bytes of one
void hear_logs(std::function<void(const std::string&)> listener);

// The message of a call of a heuristic that failed, in the words of a Runner's error: "prepare returned
// MASH_ERROR: odd width". Empty where the evidence is of something else.
std::string_view failed_call(std::string_view evidence);

// Where two results differ, bit for bit: "feature 17 is 0.25 <first> and 0.5 <second> (3 of 784 differ)".
// Two NaNs are equal.
std::optional<std::string> difference(std::span<const float> a, std::string_view first,
                                      std::span<const float> b, std::string_view second);

}  // namespace mash::checks
