// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/operations/common/plugins.hpp"

namespace mash {

// A model file, and where the heuristics are that it was trained with.
struct ModelSource {
  std::filesystem::path model;
  PluginPlaces plugins;
};

struct ImagePrediction {
  std::string image;  // as it was named
  std::string class_name;
  double margin = 0;
  std::vector<double> scores;  // one of each class of the model
};

// Errors (kInput): no such file, or it is no model; names the file.
Result<Model> read_model(const std::filesystem::path& path);

// Classifies pictures. Errors (kInput): a model or picture that cannot be read, a picture of another size
// than the model's, a heuristic that is missing or of another version; kStopped.
Result<std::vector<ImagePrediction>> predict_images(const ModelSource& source,
                                                    const std::vector<std::string>& images,
                                                    const WorkContext& work);

// The test side of a data set.
struct DatasetToPredict {
  std::string name;
  Settings settings;
  std::uint64_t seed = 1;       // of a generated data set, a split or a perturbation
  std::filesystem::path store;  // take features from this feature store; empty: compute them from the images
  std::string perturbation;     // "rotation=10": change the images first; empty: not. Not with a store
};

struct PredictionSeconds {
  std::optional<double> extract;  // to fill the store, where there is one
  std::optional<double> read;     // of the codes, from there into memory
  double classify = 0;
  double total() const { return extract.value_or(0) + read.value_or(0) + classify; }
};

struct DatasetPrediction {
  std::string dataset;                       // its name for people
  std::vector<std::string> classes;          // of each example, by name
  std::vector<std::string> dataset_classes;  // that the data set has
  std::vector<std::uint16_t> labels;         // of each example, places in dataset_classes
  std::string dataset_fingerprint;
  double test_error = 0;  // fraction
  PredictionSeconds seconds;
};

// Classifies them. Errors: as above; those of load_dataset and parse_perturbation; a data set of another kind
// than the model's; a store that cannot be written to.
Result<DatasetPrediction> predict_dataset(const ModelSource& source, const DatasetToPredict& dataset,
                                          const WorkContext& work);

// The documents that --json prints; their keys are a contract.
nlohmann::ordered_json to_json(std::span<const ImagePrediction> predictions);
nlohmann::ordered_json to_json(const DatasetToPredict& dataset, const DatasetPrediction& prediction);

}  // namespace mash
