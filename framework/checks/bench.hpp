// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/base/require.hpp"
#include "framework/checks/runner.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/isolation/isolation.hpp"

namespace mash::checks {

// The heuristic to be checked, and how hard.
struct CheckTarget {
  std::filesystem::path plugin;
  std::size_t heuristic_idx = 0;
  std::uint64_t seed = 1;    // of the pictures
  int num_cycles = 10'000;   // of calls in which memory may not grow
  double time_limit_s = 30;  // of one check, less its waits for a processor
  // Where the workers run: kProcess or kBox. They need not know it: to_json leaves it out.
  Isolation isolation = Isolation::kProcess;

  nlohmann::json to_json() const;
  static CheckTarget from_json(const nlohmann::json& json);
};

// "GLIBC_TUNABLES=...": malloc without its caches for each thread. They hide what a heuristic does with
// memory: what they keep counts as given out, and comes back as it was left.
std::string without_heap_caches();

// Where checks meet the heuristic: in a worker's process, on one plugin. What several checks need is made
// once.
class Bench {
 public:
  explicit Bench(CheckTarget target) : target_(std::move(target)) {}

  const CheckTarget& target() const { return target_; }
  std::uint64_t seed() const { return target_.seed; }

  // Loads the plugin. Errors (kInput): why it is refused. REQUIRES: before all that follows.
  Status load();
  const HeuristicInfo& info() const { return plugin().infos()[target_.heuristic_idx]; }
  const mash_heuristic_t& functions() const { return *plugin().descriptors()[target_.heuristic_idx]; }
  std::vector<double> default_values() const;

  // An instance with default parameters. Errors: the heuristic's own.
  Result<std::unique_ptr<Runner>> open() const;
  // The size on which most checks work: the first of a few that the heuristic takes.
  Result<mash_size_t> usual_size();
  // Those of `sizes` that it takes.
  Result<std::vector<mash_size_t>> supported(std::span<const mash_size_t> sizes) const;
  // Textured pictures of the usual size, grey and colour by turns.
  Result<std::vector<Pixels>> usual_pictures(std::size_t count);

  // The features of a few pictures as another process computes them, with `variables` ("NAME=VALUE") in its
  // environment. fill: what new memory holds there. Errors: how that process came to its end.
  Result<std::vector<float>> features_elsewhere(const std::vector<std::string>& variables,
                                                std::optional<std::uint8_t> fill = {}) const;
  // Features that that process computes. fill: what the stack holds before each call.
  Result<std::vector<float>> features_here(std::optional<std::uint8_t> fill = {});

 private:
  const Plugin& plugin() const {
    require(plugin_ != nullptr, "Bench::load: before all that follows");
    return *plugin_;
  }

  CheckTarget target_;
  std::shared_ptr<const Plugin> plugin_;
  std::optional<mash_size_t> usual_size_;
};

}  // namespace mash::checks
