// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/extractors/plugin.hpp"
#include "mash/abi/sequence.h"

namespace mash {

// Hears of every call of a plugin before it is made, so that after a crash the caller can name the call.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  // call: "create", "dim", "prepare", "compute", "release", "destroy".
  virtual void begins(std::string_view call) = 0;
};

// The frame of a picture that stands alone.
inline constexpr mash_frame_t kAlone{0, 0, 1};

inline constexpr std::size_t kMaxFirstFaults = 8;  // kept of a heuristic

// "feature 3 is infinity"
std::string words_of(const FaultNote& fault);

// One instance of a heuristic, with every call of its table checked before and after: the only place where a
// plugin's functions are called in this process. It lets nothing through but what the ABI promises, so nobody
// further on needs to distrust a plugin.
//
//   create  dim*  ( prepare  compute*  release )*  destructor       (dim is legal anywhere in between)
//
// Any other order is an error that names the call and the state, and the plugin is not called. Calls of
// serial heuristics (MASH_SERIAL), of all instances, take one mutex of the process.
//
// After each call the state of the thread's arithmetic is what it was before.
//
// Errors are kInput where the plugin is to blame, kFailure where the caller is; after any of them the
// instance is in the state before the call. An exception that escapes the plugin is such an error. A NaN, an
// infinity or a value that was not written is no error but a fault: counted, and NaN in the output.
class GuardedHeuristic {
 public:
  // heuristic_idx: which of the plugin's. values: one per parameter, checked against the declared ranges.
  // num_cameras: what it is told of the sequences that it will be shown (MASH_SEQUENCE).
  // remarks: hear what goes wrong when it is destroyed; outlive this, as the observer does, which may be
  // null.
  static Result<std::unique_ptr<GuardedHeuristic>> create(
      std::shared_ptr<const Plugin> plugin, std::size_t heuristic_idx, std::span<const double> values,
      std::uint32_t num_cameras = 1, Remarks& remarks = no_remarks(), CallObserver* observer = nullptr);
  ~GuardedHeuristic();
  GuardedHeuristic(const GuardedHeuristic&) = delete;
  GuardedHeuristic& operator=(const GuardedHeuristic&) = delete;

  Result<std::uint32_t> dim(mash_size_t view_size);
  // image: stays valid and unchanged until release. frame: what the heuristic is told of its sequence.
  Status prepare(const mash_image_t& image, const mash_view_t& view, const mash_frame_t& frame = kAlone);
  // out[i] = feature indices[i]; all features where indices is empty, and then out.size() = dim.
  Status compute(std::span<const std::uint32_t> indices, std::span<float> out);
  Status release();

  std::uint64_t num_faults() const { return num_faults_; }
  std::span<const Fault> first_faults() const { return first_faults_; }

 private:
  enum class State { kIdle, kPrepared };

  GuardedHeuristic(std::shared_ptr<const Plugin> plugin, std::size_t heuristic_idx, Remarks& remarks,
                   CallObserver* observer);
  GuardedHeuristic(GuardedHeuristic&&) = delete;

  // Runs one call of the plugin; what its status, its text and its exceptions say becomes the result.
  template <class Function>
  Status call(std::string_view name, const Function& function);
  Status require(State state, std::string_view call_name) const;
  Status check_view(const mash_image_t& image, const mash_view_t& view) const;
  Status check_request(std::span<const std::uint32_t> indices, std::span<const float> out) const;
  void note_faults(std::span<const std::uint32_t> indices, std::span<float> out);
  Error blame(std::string_view call_name, std::string_view what) const;

  static void set_error(void* context, const char* text);
  static void drop_log(void* context, const char* text);
  static const void* get_extension(void* context, const char* name);
  static std::uint32_t num_cameras_of(void* context);
  static mash_frame_t frame_of(void* context);

  std::shared_ptr<const Plugin> plugin_;  // loaded for as long as this lives
  const mash_heuristic_t& functions_;
  const HeuristicInfo& info_;
  Remarks& remarks_;
  CallObserver* observer_;
  mash_host_t host_{};
  mash_instance_t* instance_ = nullptr;
  mash_state_t* state_handle_ = nullptr;
  State state_ = State::kIdle;
  std::uint32_t prepared_dim_ = 0;
  std::uint32_t num_cameras_ = 1;
  mash_frame_t frame_ = kAlone;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> dims_;  // by view size, as first given
  std::string error_text_;                                                 // of the call in progress
  std::uint64_t num_faults_ = 0;
  std::vector<Fault> first_faults_;
};

}  // namespace mash
