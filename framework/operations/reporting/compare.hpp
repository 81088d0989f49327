// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/operations/prediction/predict.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/comparison/comparison.hpp"

namespace mash {

struct CompareSettings {
  // Each is a number of an experiment ("3": with all its runs), a run ("run:3"), a trial ("trial:3"), a model
  // file, or a version of a heuristic ("hog@1.0.0"), which is compared with other versions only.
  std::vector<std::string> what;
  std::filesystem::path database;
  PluginPlaces plugins;  // of the models
  // Models are asked about the test side of this data set; without a name not at all. Versions of a heuristic
  // are compared by their offer tests on the data set of this name only.
  DatasetToPredict dataset;
};

struct CompareResult {
  ComparisonReport comparison;
  page::Piece page;
};

// Compares them from the records, and models by what they predict. Errors (kInput): fewer than two or more
// than kMaxCompared; two that are the same; heuristics beside something else; no such experiment, file or
// version, which names the known ones; those of predict_dataset. kStopped.
Result<CompareResult> compare(const CompareSettings& settings, const WorkContext& work);

}  // namespace mash
