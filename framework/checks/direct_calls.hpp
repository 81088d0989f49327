// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/checks/step.hpp"
#include "mash/abi/sequence.h"

namespace mash::checks {

// One instance of a heuristic in this process, called as it is: GuardedHeuristic corrects values and refuses
// wrong calls, and a check wants to see what the plugin does by itself. Status codes and escaped exceptions
// become errors that name the call; what a plugin writes to memory is not looked at.
class DirectCalls {
 public:
  // Null where the heuristic refuses the values with MASH_UNSUPPORTED.
  static Result<std::unique_ptr<DirectCalls>> create(const mash_heuristic_t& functions,
                                                     std::span<const double> values);
  // Releases what is prepared, destroys the instance. What these let out is lost: call the functions to know.
  ~DirectCalls();
  DirectCalls(const DirectCalls&) = delete;
  DirectCalls& operator=(const DirectCalls&) = delete;

  // Nothing where the size is refused with MASH_UNSUPPORTED.
  Result<std::optional<std::uint32_t>> try_dim(mash_size_t size);
  Result<std::uint32_t> dim(mash_size_t size);
  // frame: what it is told of the picture's sequence.
  Status prepare(const LaidOutPicture& picture, const mash_frame_t& frame = {0, 0, 1});
  // All features where indices is empty. REQUIRES: prepared
  Status compute(std::span<const std::uint32_t> indices, std::span<float> out);
  Status release();
  Status destroy();

  // prepare, compute, release.
  Result<std::vector<float>> features(const LaidOutPicture& picture,
                                      std::span<const std::uint32_t> indices = {});

 private:
  explicit DirectCalls(const mash_heuristic_t& functions);
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
void hear_logs(std::function<void(const std::string&)> listener);

}  // namespace mash::checks
