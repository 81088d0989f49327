// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "classifiers/events/training.hpp"
#include "framework/base/cpu_watch.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/records/records.hpp"
#include "framework/records/test_errors.hpp"

namespace mash {

// The time at which a training is written to the records.
enum class Recording {
  kNever,
  kRoundByRound,  // during training, so that a training that is cut off is there as well
  kAtTheEnd       // when it has ended by itself; for trials, which train side by side
};

// One training: an experiment with one seed. All objects that it refers to outlive the training.
struct TrainingJob {
  const Experiment& experiment;  // as it is recorded
  const Experiment& decided;     // as it is trained: every tuned setting has its value
  const Dataset& dataset;
  const FeatureSet& features;  // of the experiment's families
  std::uint64_t seed = 1;
  std::string key;  // run_key of `experiment`
  Recording recording = Recording::kNever;
  std::filesystem::path checkpoint = {};  // where an unfinished training is kept; empty: nowhere
  // TrainingContext::rounds_file, and its key.
  std::filesystem::path rounds_file = {};
  std::string rounds_key = {};
  bool keep_finished = false;                    // keep its checkpoint after it has ended
  bool every_test_error = false;                 // evaluate after every round
  bool strict = false;                           // refuse values that are not finite
  std::span<const std::uint32_t> left_out = {};  // training examples that do not train; `key` tells of them
  CpuWatch cpu = CpuWatch(CpuWatch::Whose::kProcess);
  TuningRecord tuning = {};
};

// Results of a training.
struct TrainedRun {
  std::int64_t run_id = 0;  // of its row; 0 where it was not recorded
  TrainingResult result;
  TuningRecord tuning = {};                  // the job's, or that of the training itself
  std::vector<RoundError> test_errors = {};  // after every round, where they were asked for
  std::uint64_t peak_memory_bytes = 0;       // of the process, after training
};

// The records, with a guard that lets one training at a time write.
struct RecordWriter {
  Records& records;
  std::mutex mutex = {};
};

// The version of the program and of its training. It is equal for programs that train the same models.
std::string training_version();

// The run key, which is equal for runs that must give the same model. Checkpoints and rows of the records
// belong to it. identities: those of the run's families.
std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const std::string& identities);

// Identities of families (all of them, or some), a line each, with their order, settings and code.
std::string identities(const FeatureSet& features);
std::string identities(const FeatureSet& features, std::span<const std::size_t> families);

// The error (kStopped) of trainings that were stopped. It says that the same command goes on with them.
Error stopped_error();

// Trains, evaluates and records. A training that was cut off goes on from its checkpoint. A training that the
// user stops is recorded as stopped; with Recording::kAtTheEnd it is an error (kStopped) instead. Errors:
// unknown strategies (kInput); those of training and of the records.
Result<TrainedRun> train_run(const TrainingJob& job, RecordWriter& writer, const WorkContext& work);

}  // namespace mash
