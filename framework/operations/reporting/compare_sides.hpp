// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/prediction/predict.hpp"
#include "framework/reports/comparison/comparison.hpp"

// Sides of a comparison, as they are found in records and files.
namespace mash {

// Settings of an experiment as they hold, each key with its section in front, as in "sampler.budget". Left
// out are those that differ between the runs of one experiment, and heuristics: families are known of each
// run.
struct FlatSettings {
  KnownSettings given;     // except those that have their defaults
  KnownSettings defaults;  // which these are
};
FlatSettings flat_settings(const Experiment& experiment);

// All runs of the experiment with this number, or this run alone. Trials have numbers below 0 and are always
// alone. Errors (kInput): there is no such run or trial.
Result<ComparedSide> side_of_runs(const RecordsReader& records, const std::string& argument,
                                  std::int64_t run_id, bool is_alone);

// A model file with its predictions on the test side of the data set; where the data set has no name, without
// predictions. Errors: those of read_model and predict_dataset.
Result<ComparedSide> side_of_model(const ModelSource& source, const DatasetToPredict& dataset,
                                   const WorkContext& work);

}  // namespace mash
