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
  // Each entry is the number of an experiment ("3": with all its runs), a run ("run:3"), a trial ("trial:3"),
  // a model file, or a version of a heuristic ("hog@1.0.0"). Versions are compared with versions only.
  std::vector<std::string> what;
  std::filesystem::path database;
  PluginPlaces plugins;  // of the models
  ChangedHeuristics changed = {};
  // Models classify the test side of this data set; where it has no name, they classify nothing. Versions of
  // a heuristic are compared only by their offer tests on the data set with this name.
  DatasetToPredict dataset;
};

struct CompareResult {
  ComparisonReport comparison;
  page::Piece page;
};

// Compares the entries from the records, and models by their predictions. Errors (kInput): fewer than two or
// more than kMaxCompared entries; two equal entries; heuristics beside other things; there is no such
// experiment, file or version (the message lists the known ones); those of predict_dataset; kStopped.
Result<CompareResult> compare(const CompareSettings& settings, const WorkContext& work);

}  // namespace mash
