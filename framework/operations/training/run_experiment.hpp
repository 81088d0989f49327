// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "framework/analysis/answers/confusion.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

// Options for the runs of an experiment, apart from their recording.
struct RunSettings {
  std::filesystem::path model =
      {};                         // write the model here, with the seed in the name where there are several
  bool every_test_error = false;  // evaluate after every round, not only at the points of the curve
  // Where an equal run is finished, nothing is trained: its result is taken from the records. Only runs of an
  // experiment with the same name count, unless `of_any_name` is set.
  bool of_any_name = false;
  bool again = false;  // train also where an equal run is finished, and use no rounds of other trainings
};

// Checks that the experiment's models give the test error after every round. Errors (kInput): its rounds
// change all hypotheses, or it does not train in rounds; those of make_learner.
Status check_every_test_error(const Experiment& experiment);

// One finished run of an experiment, that is, one seed.
struct RunResult {
  std::int64_t run_id = 0;  // of its row in the records
  std::uint64_t seed = 0;
  TrainingResult result;
  TuningRecord tuning;
  std::vector<RoundError> test_errors;  // after every round, where they were asked for
  bool was_finished = false;            // before: nothing was recorded now
  std::filesystem::path model;          // where it was written; empty where nobody asked
  double extract_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // of the process, after training
  Confusion confusion = {};             // of the test side; empty where training was stopped
};

// Whether the training error was still falling at the end of a run, over the rounds behind the last point of
// its curve in the first half of them. Nothing: the curve has no such point.
struct ErrorCourse {
  std::uint32_t before_round = 0, last_round = 0;
  double before = 0, last = 0;  // training errors, fractions

  bool still_falls() const { return last < before; }
};
std::optional<ErrorCourse> training_error_course(const RunResult& run);

// A figure over the runs of an experiment.
struct RunsFigure {
  double mean = 0;
  std::optional<double> sd = {};  // standard deviation, where there are several runs
};
// figure: gives a number for a run.
template <class Figure>
RunsFigure figure_of(std::span<const RunResult> runs, const Figure& figure) {
  double sum = 0, squares = 0;
  for (const RunResult& run : runs) sum += double(figure(run));
  const double mean = sum / double(runs.size());
  if (runs.size() == 1) return {mean};
  for (const RunResult& run : runs) squares += (double(figure(run)) - mean) * (double(figure(run)) - mean);
  return {mean, std::sqrt(squares / double(runs.size() - 1))};
}

// The rounds at which the curves of all runs have a point. REQUIRES: there are runs.
std::vector<std::uint32_t> rounds_of_all(std::span<const RunResult> runs);
// The run's point at this round, or null.
const CurvePoint* point_at(const RunResult& run, std::uint32_t round);

// A finished experiment: a run for each seed.
struct ExperimentResult {
  Experiment experiment;
  std::string dataset;                // its name, for people
  std::string judging_side = "test";  // or "validation": the side of the test errors
  std::vector<std::string> class_names;
  std::vector<FamilyInfo> families;
  std::uint64_t num_features = 0;
  std::uint64_t num_distinct = 0;  // features that are neither constant nor a copy of another
  std::size_t num_examples = 0;    // of both sides
  std::vector<std::string> warnings;
  std::vector<LeftOut> left_out;  // heuristics that were to be there
  std::vector<RunResult> runs;
  bool stopped = false;
};

// Trains every seed, records everything and writes the models. A run that was stopped gets no model. An
// interrupted run goes on where it was. A run that was finished before is not recorded again: its result is
// that in the records, and where a model is asked for, it is trained for it as far as no rounds are kept.
// REQUIRES: the data set and heuristics are those of the experiment for which the workspace was opened; exact
// cuts are used only where that experiment uses them. Errors: those of training, records and files; kStopped
// before there is anything to show.
Result<ExperimentResult> run_experiment(const Experiment& experiment, const RunSettings& settings,
                                        Workspace& space, const WorkContext& work);

// The document that `mash run --json` prints. Its keys are a contract, because scripts of users read them.
// Errors are fractions, cost is in pairs of feature and example, seconds are wall seconds. With several runs
// each figure is a mean, with its standard deviation as KEY_sd.
nlohmann::ordered_json to_json(const ExperimentResult& result);

}  // namespace mash
