// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/training/forecast.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

// The needs of a run for one family.
struct FamilyForecast {
  enum class Kept {
    kStored,   // in the store already
    kMissing,  // to be extracted into the store
    kLazy      // beyond the limit of the store: computed on demand
  };
  std::string name;
  std::uint32_t dim = 0;
  Kept kept = Kept::kMissing;
  std::uint64_t store_bytes = 0;      // 0 where it is lazy
  std::uint64_t content_bytes = 0;    // of these, those of values by the content of pictures
  double microseconds_per_image = 0;  // one thread's, measured now; NaN for columns of a file
  double extract_seconds = 0;         // wall time on all threads, estimated; 0 unless it is missing
  double setup_seconds = 0;           // of these: what an instance does once (ExtractionCost)
};
std::string_view to_string(FamilyForecast::Kept kept);

// Bytes that a run holds in memory, without the program. All that grows with the examples, the classes or the
// features is in it, also files that it maps, which the system may write out where memory is short.
struct MemoryForecast {
  std::uint64_t program = 0;     // what the program holds before it reads the examples
  std::uint64_t dataset = 0;     // the examples, and the names of columns
  std::uint64_t store = 0;       // codes and thresholds of the features: files of the store
  std::uint64_t extraction = 0;  // values of the features that thresholds are chosen for, while it goes on
  std::uint64_t training = 0;    // weights and scores
  std::uint64_t reading = 0;     // what reading the examples took just now, which is over before the rest
  std::string formula;           // how all others were computed
  // Beside the program.
  std::uint64_t computed() const { return dataset + store + std::max(extraction, training); }
  std::uint64_t total() const { return program + std::max(computed(), reading); }
};

// Forecast of a run, made without a whole training.
struct DryRun {
  Experiment experiment;
  std::optional<std::uint32_t> rounds;  // nothing: the learner does not train in rounds
  std::shared_ptr<const Dataset> dataset;
  std::vector<FamilyForecast> families;
  std::filesystem::path store;
  std::uint64_t store_limit = 0, store_free = 0;
  // The largest file of values that exists while a family is extracted, in addition to what the store keeps.
  std::uint64_t scratch_bytes = 0;
  int num_threads = 1;
  MemoryForecast memory;
  TrainingForecast training;
  std::vector<std::string> warnings;

  std::uint64_t num_features() const;
  std::uint64_t bytes_to_store() const;  // of the families that are missing
  double extract_seconds() const;
};

// Reads and checks everything that a run would read, loads the data, and measures each family on a few
// training pictures. It measures some rounds of training too: with the features of the store or, where some
// are missing, on a part of the examples. Keeps nothing. Errors: those of open_workspace and of a training
// (kInput).
Result<DryRun> dry_run(const Experiment& experiment, const WorkspaceSettings& settings,
                       const WorkContext& work);

// The output of `mash run --dry-run --json`; its keys are a contract.
nlohmann::ordered_json to_json(const DryRun& forecast);

}  // namespace mash
