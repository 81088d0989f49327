// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "framework/checks/direct_calls.hpp"
#include "framework/checks/step.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/isolation/worker_walls.hpp"

namespace mash::checks {

// Takes the steps of checks in the process of a plugin. It judges nothing.
class StepService {
 public:
  // walls: which this process puts up around itself before it runs code of the plugin.
  StepService(std::filesystem::path plugin, std::size_t heuristic_idx, const WorkerWalls& walls)
      : path_(std::move(plugin)), heuristic_idx_(heuristic_idx), walls_(walls) {}

  // Every step has an answer.
  StepAnswer answer(const Step& step);

 private:
  // An instance, and the picture that it looks at.
  struct Instance {
    std::unique_ptr<DirectCalls> calls;
    std::unique_ptr<LaidOutPicture> picture;
  };

  Result<StepAnswer> carry_out(const Step& step);
  Result<StepAnswer> inspect_file(const Step& step) const;
  // Before each load; the first time counts.
  Status close_walls();
  Result<StepAnswer> load_and_close();
  Result<StepAnswer> describe();
  Result<StepAnswer> load(const Step& step);
  Result<StepAnswer> create(const Step& step);
  Result<StepAnswer> call(const Step& step);
  Result<StepAnswer> compute(const Step& step, DirectCalls& calls) const;
  Result<StepAnswer> picture_cycles(const Step& step) const;
  Result<StepAnswer> instance_cycles(const Step& step) const;
  Result<StepAnswer> times(const Step& step) const;
  Result<StepAnswer> features(const Step& step) const;
  Result<StepAnswer> features_in_threads(const Step& step) const;

  const mash_heuristic_t& functions() const { return *plugin_->descriptors()[heuristic_idx_]; }
  // With default parameters.
  Result<std::unique_ptr<DirectCalls>> open() const;

  std::filesystem::path path_;
  std::size_t heuristic_idx_;
  WorkerWalls walls_;
  bool is_closed_ = false;
  std::shared_ptr<const Plugin> plugin_;
  std::vector<double> values_;  // of parameters, as it was loaded with; empty: the defaults
  std::map<std::uint64_t, Instance> instances_;
  std::uint64_t num_instances_ = 0;  // that were made so far
};

}  // namespace mash::checks
