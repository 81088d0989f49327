// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "framework/operations/prediction/predict.hpp"
#include "framework/reports/mistakes.hpp"

namespace mash {

// A classifier and the examples that it is judged by.
struct MistakesToFind {
  std::string classifier;          // the number of a run, or a model file
  std::filesystem::path database;  // of the run; empty: the default one
  PluginPlaces plugins;            // of the model
  ChangedHeuristics changed = {};
  DatasetToPredict dataset;  // whose test side the model classifies. A run has its own
};

struct FoundMistakes {
  MistakeReport report;
  Dataset dataset;
};

// Finds the test examples that a classifier gets wrong: of a run from its record, of a model by classifying.
// Errors (kInput): a run that does not exist, or has no predictions; its data are others now; a data set
// beside a run, or none beside a model; a data set without labels; those of classify_dataset; kStopped.
Result<FoundMistakes> find_mistakes(const MistakesToFind& wanted, const WorkContext& work);

// Checks that mistakes can be copied here. Errors (kInput): there is something already.
Status check_copy_folder(const std::filesystem::path& folder);

// Copies the pictures into folder/TRUE_as_PREDICTED: those that have a file of their own as they are, others
// as PNG. Errors (kInput): those of check_copy_folder; the data set is a table; a picture is gone; kFailure:
// the disk's.
Status copy_mistakes(const FoundMistakes& found, const std::filesystem::path& folder);

}  // namespace mash
