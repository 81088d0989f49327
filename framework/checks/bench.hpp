// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/checks/check_process.hpp"
#include "framework/checks/runner.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/isolation/isolation.hpp"

namespace mash::checks {

// Errors of a heuristic that no picture can be shown to, which all checks meet.
inline constexpr std::string_view kRefusesDefaults =
    "create refuses the default parameters with MASH_UNSUPPORTED";
inline constexpr std::string_view kRefusesEverySize =
    "dim refuses every size that was tried, from 4x4 to 256x256, with MASH_UNSUPPORTED";
inline constexpr std::string_view kRefusesSettings =
    "create refuses the given settings with MASH_UNSUPPORTED";

// The waits for a processor that a check may have beside its time limit, in times of the limit: on a machine
// that is busy with others, one that hangs ends within 1 + kMostCheckWaits times the limit.
inline constexpr int kMostCheckWaits = 3;

inline constexpr std::string_view kOtherHangs = "the other process does not end";

// The heuristic to be checked, and how hard.
struct CheckTarget {
  std::filesystem::path plugin;
  std::size_t heuristic_idx = 0;
  Settings settings = {};           // of the heuristic, in place of its defaults; find_subjects reads them
  std::vector<double> values = {};  // of its parameters, by these settings; empty: the defaults
  std::uint64_t seed = 1;           // of the pictures
  int num_cycles = 10'000;          // of calls in which memory may not grow
  double time_limit_s = 30;         // of one check, less its waits for a processor (kMostCheckWaits)
  Isolation isolation = Isolation::kProcess;  // where the plugin runs: kProcess or kBox
};

// Processes and threads of a box of checks together, and of all boxes of a heuristic's checks: of these there
// are at most three at once, so that no box keeps another from starting.
inline constexpr std::uint64_t kMostProcesses = 32, kMostProcessesTogether = 8 * kMostProcesses;

// "GLIBC_TUNABLES=...": malloc without its caches for each thread. They hide what a heuristic does with
// memory: what they keep counts as given out, and comes back as it was left.
std::string without_heap_caches();

// Differences of another process from the first.
struct Elsewhere {
  std::vector<std::string> variables = {};  // "NAME=VALUE", in its environment
  std::optional<std::uint8_t> fill = {};    // what new memory and the stack hold
  bool has_comma = false;                   // as its decimal point
};

// How the processor rounds in a process before it loads a plugin, and after (StepAnswer::arithmetic).
struct AroundLoading {
  std::uint32_t before = 0, after = 0;
};

// Where checks meet the heuristic: they run here, on what a process with the plugin answers. The plugin has
// that process to itself (check_process.hpp): none of its words is a finding. What several checks need is
// made once.
class Bench {
 public:
  // All outlive it.
  Bench(const CheckTarget& target, const CheckPlace& place, const StopFlag& stop)
      : target_(target), place_(place), stop_(stop) {}

  const CheckTarget& target() const { return target_; }
  std::uint64_t seed() const { return target_.seed; }

  // Starts the process where there is none of the kind that the check asks, and gives the check that begins
  // its time. Errors (kFailure): it cannot be started. REQUIRES: before all that follows.
  Status begin_check(Asks asks = Asks::kThatOfItsLevel);
  // Has the plugin loaded. Errors (kInput): why it is refused. REQUIRES: before info and open.
  Status load();
  // The process with the plugin. Once it has ended, begin_check starts another.
  CheckProcess& process() const { return *process_; }

  // The heuristic as a process that loads its plugin describes it.
  Result<HeuristicInfo> describe();
  const HeuristicInfo& info() const { return *info_; }
  bool looks_at_whole_image() const { return looks_at_whole_image_; }
  // The values of the parameters: those of the target, or the defaults.
  std::vector<double> values() const;
  // The finding of a check of the file (inspections.hpp), made in a process that has run none of its code.
  Result<Finding> inspect(std::string_view check);

  // An instance with these values. Errors: the heuristic's own.
  Result<std::unique_ptr<Runner>> open() const;
  // The size on which most checks work: the first of a few that the heuristic takes.
  Result<mash_size_t> usual_size();
  // Those of `sizes` that it takes.
  Result<std::vector<mash_size_t>> supported(std::span<const mash_size_t> sizes) const;
  // Textured pictures of the usual size, grey and colour by turns.
  Result<std::vector<Pixels>> usual_pictures(std::size_t count);

  // The features of a few pictures as the process computes them.
  Result<std::vector<float>> features_here();
  // The same of another process; nothing where it cannot be like that. Errors: how that process came to its
  // end.
  Result<std::optional<std::vector<float>>> features_elsewhere(const Elsewhere& elsewhere);
  // State before and after a new process loads the plugin, whose constructors run then. Errors: how that
  // process came to its end.
  Result<AroundLoading> arithmetic_around_loading() const;

 private:
  Result<std::vector<Pixels>> pictures_of_features(bool is_filled);
  CheckPlace place_with(const Elsewhere& elsewhere) const;
  Step load_step() const;

  const CheckTarget& target_;
  const CheckPlace& place_;
  const StopFlag& stop_;
  std::unique_ptr<CheckProcess> process_;
  std::unique_ptr<CheckProcess> inspector_;  // has run no code of the plugin
  bool is_loaded_ = false;                   // the plugin, in the process
  bool is_for_one_check_ = false;            // the process
  std::optional<HeuristicInfo> info_;
  bool looks_at_whole_image_ = false;
  std::optional<mash_size_t> usual_size_;
};

// How long each of at most `most` computations of all features takes, in nanoseconds, as the process counts
// them: at least 3, for about that time. Errors: those of CheckProcess::ask.
Result<std::vector<double>> times_of(const Bench& bench, std::span<const Pixels> pictures, int most,
                                     double seconds);

}  // namespace mash::checks
