// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/operations/bundle/sources.hpp"
#include "framework/operations/prediction/budgeted.hpp"

namespace mash {

inline constexpr const char* kUsualBundleName = "classifier";

struct BundleSettings {
  ModelSource model;
  std::filesystem::path folder;
  std::string name = kUsualBundleName;    // of the library, its namespace and its files
  bool python = false;                    // with a Python package
  std::vector<std::string> sources = {};  // C++ sources of heuristics, to be compiled in
  // Features of a picture cost at most so much, and nothing more is computed once the class is certain.
  std::optional<PredictionBudget> within = {};
};

// A model as C++ that needs nothing of this program (docs/bundles.md).
struct Bundle {
  std::filesystem::path folder;
  std::string name;
  std::vector<std::string> files;  // within the folder
  std::vector<BundledHeuristic> heuristics;
  std::size_t num_classes = 0;
  std::size_t num_features = 0;  // that the model uses
  std::size_t num_parts = 0;     // hypotheses of a sum, inputs of a linear model
  bool is_sum = true;
  std::size_t num_bytes = 0;  // of all files
};

// Writes a bundle. It answers as predict_images does or, with a budget, as predict_images_within. Errors
// (kInput): those of load_model, which refuses heuristics that have changed, and of GivenSources; a model of
// a table; a name that is none in C++ and Python; a folder that is there and not empty; with a budget those
// of open_paid_predictor. kFailure: the folder cannot be written; nothing of it is left. kStopped.
Result<Bundle> export_bundle(const BundleSettings& settings, const WorkContext& work);

// The document that --json prints; its keys are a contract.
nlohmann::ordered_json to_json(const Bundle& bundle);

}  // namespace mash
