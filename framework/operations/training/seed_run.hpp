// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "classifiers/events/training.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/records/records.hpp"
#include "framework/records/test_errors.hpp"

namespace mash {

// When a training is written to the records.
enum class Recording {
  kNever,
  kRoundByRound,  // as it goes, so that one that is cut off is there as well
  kAtTheEnd       // once it has ended by itself: for trainings side by side, which are trials
};

// Seconds of processor time since it was made.
class CpuWatch {
 public:
  enum class Whose { kProcess, kThread };
  explicit CpuWatch(Whose whose) : whose_(whose), start_(now(whose)) {}
  double seconds() const { return now(whose_) - start_; }

 private:
  static double now(Whose whose);
  Whose whose_;
  double start_;
};

// One training: an experiment with one seed. What it refers to outlives the training.
struct TrainingJob {
  const Experiment& experiment;  // as it is recorded
  const Experiment& decided;     // as it is trained: every setting that was to be tuned has a value
  const Dataset& dataset;
  const FeatureSet& features;  // of the experiment's families
  std::uint64_t seed = 1;
  std::string key;  // run_key of `experiment`
  Recording recording = Recording::kNever;
  std::filesystem::path checkpoint = {};         // where an unfinished training is kept; empty: nowhere
  bool keep_finished = false;                    // its checkpoint too once it has ended
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
  std::vector<RoundError> test_errors;  // after every round, where they were asked for
  std::uint64_t peak_memory_bytes = 0;  // of the process, after training
};

// The records, to which one training at a time may write.
struct RecordWriter {
  Records& records;
  std::mutex mutex = {};
};

// Equal for programs that train the same models: their version and that of the training.
std::string training_version();

// Equal for runs that must give the same model: what a checkpoint and a row of the records belong to.
// identities: of its families.
std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const std::string& identities);

// Identities of families with their order, settings and code, a line each: all of them, or some.
std::string identities(const FeatureSet& features);
std::string identities(const FeatureSet& features, std::span<const std::size_t> families);

// The error (kStopped) of trainings that were stopped, with which the same command goes on.
Error stopped_error();

// Trains, evaluates and records; one that was cut off goes on from its checkpoint. One that is stopped is
// recorded as such, unless it is recorded at the end: then it is an error (kStopped). Errors: unknown
// strategies (kInput); those of training and of the records.
Result<TrainedRun> train_run(const TrainingJob& job, RecordWriter& writer, const WorkContext& work);

}  // namespace mash
