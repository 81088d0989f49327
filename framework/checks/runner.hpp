// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/checks/check_process.hpp"
#include "framework/checks/picture.hpp"
#include "mash/abi/sequence.h"

namespace mash::checks {

// Where compute writes, and with which memory around it.
struct ComputeMemory {
  std::uint32_t fill = 0;                 // the bits of each value before the call
  std::optional<Placement> out = {};      // between forbidden pages
  std::optional<Placement> indices = {};  // between forbidden pages, read-only
};

// One instance of a heuristic in the process of its plugin, whose calls are made one at a time from here.
// Errors: in the heuristic's words; those of CheckProcess::ask.
class Runner {
 public:
  // Null where the heuristic refuses the values with MASH_UNSUPPORTED.
  static Result<std::unique_ptr<Runner>> create(CheckProcess& process, std::span<const double> values);
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
  Status compute(std::span<const std::uint32_t> indices, std::span<float> out,
                 const ComputeMemory& memory = {});
  Status release();
  Status destroy();

  // prepare, compute, release.
  Result<std::vector<float>> features(const Picture& picture, std::span<const std::uint32_t> indices = {});

 private:
  Runner(CheckProcess& process, std::uint64_t id) : process_(process), id_(id) {}
  Step step(StepKind kind) const {
    Step step{kind};
    step.instance = id_;
    return step;
  }

  CheckProcess& process_;
  std::uint64_t id_;
  bool is_there_ = true, is_prepared_ = false;
};

// The message of a call of a heuristic that failed, in the words of a Runner's error: "prepare returned
// MASH_ERROR: odd width". Empty where the evidence is of something else.
std::string_view failed_call(std::string_view evidence);

// Where two results differ, bit for bit: "feature 17 is 0.25 <first> and 0.5 <second> (3 of 784 differ)".
// Two NaNs are equal.
std::optional<std::string> difference(std::span<const float> a, std::string_view first,
                                      std::span<const float> b, std::string_view second);

}  // namespace mash::checks
