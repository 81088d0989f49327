// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/statistics.hpp"
#include "framework/records/records.hpp"

namespace mash {

// A run as the database holds it, with all that a report shows. Figures that a run gets at its end are empty
// before it. Units: docs/records.md.
struct RunRecord {
  struct Heuristic {
    std::string name, version, author, license, plugin, plugin_sha256;
  };
  struct Family {
    std::string name, settings;
    Heuristic heuristic;
    std::int64_t dim = 0, num_distinct = 0, num_faults = 0;
    double microseconds_per_image = 0;
    std::int64_t offered = 0, evaluated = 0, chosen = 0;
    double alpha_sum = 0, loss_removed = 0;
  };
  struct RoundLoss {
    std::uint32_t round = 0;
    double train_loss_log10 = 0;
  };
  struct Prediction {
    std::size_t example_idx = 0, label = 0, predicted = 0;
    double margin = 0;
  };

  // Data set that it trained on.
  struct Data {
    std::string name, fingerprint;
    std::int64_t num_train = 0, num_test = 0;
    std::string judging_side = "test";  // or "validation": the side of the test errors and predictions
    std::vector<std::string> class_names;
    std::vector<SourceFile> files;
  };

  std::int64_t id = 0;
  std::string name, configuration, status;
  std::string learner;
  std::string kind;                     // of the model; empty while there is none
  std::optional<BoosterParts> booster;  // nothing: the learner is no booster
  std::uint64_t seed = 0;
  std::int64_t num_threads = 0;
  std::string program_version, started_at;
  MachineInfo machine;
  Data data;

  std::optional<std::int64_t> num_rounds, fe, peak_memory_bytes;
  Meters meters;  // 0 before its end
  std::optional<double> train_loss_log10, train_error, test_error, train_seconds, extract_seconds;
  // The mean over this run and the finished runs that differ from it only in the seed; nothing where there is
  // only one.
  std::optional<Estimate> mean_test_error;
  std::int64_t num_runs = 0;
  TuningRecord tuning;

  std::vector<Family> families;  // by share of alpha, then name
  std::vector<CurvePoint> curve;
  std::vector<RoundLoss> losses;        // after each round
  std::vector<Prediction> predictions;  // by example

  double alpha_sum() const;
  // "adaboost.mh (stump learners, laminating sampler)", or the learner's name.
  std::string trained_by() const;
};

// The scores of a run's test side, num_test x K, in single precision. None where they are not recorded: of
// trials, of runs of earlier versions of the program, and where they would take more than 16 MiB.
Result<std::vector<float>> read_test_scores(const RecordsReader& records, std::int64_t run_id);

// Errors (kInput): there is no run with this id; the message names the known ones.
Result<RunRecord> read_run(const RecordsReader& records, std::int64_t run_id);

}  // namespace mash
