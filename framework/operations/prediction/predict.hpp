// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/operations/prediction/loaded_model.hpp"

namespace mash {

struct ImagePrediction {
  std::string image;                       // as it was named
  std::optional<std::string> broken = {};  // why it could not be classified; then the rest means nothing
  std::string class_name = {};
  double margin = 0;
  std::vector<double> scores = {};  // one of each class of the model
};

// The classes of a model, in the order of its scores. Errors: those of read_model.
Result<std::vector<std::string>> class_names_of(const std::filesystem::path& model);

// Classifies pictures, one prediction for each. Errors (kInput): those of load_model and read_pictures_for; a
// heuristic is missing or of another version; kStopped.
Result<std::vector<ImagePrediction>> predict_images(const ModelSource& source,
                                                    const PicturesToPredict& pictures,
                                                    const WorkContext& work);

struct PredictionSeconds {
  std::optional<double> extract;  // to fill the store, where there is one
  std::optional<double> read;     // of the codes, from there into memory
  double classify = 0;
  double total() const { return extract.value_or(0) + read.value_or(0) + classify; }
};

struct DatasetPrediction {
  std::string dataset;                       // its name for people
  std::vector<std::string> names;            // of the examples (example_names); or none
  std::vector<std::string> classes;          // of each example, by name
  std::vector<std::string> dataset_classes;  // that the data set has
  std::vector<std::uint16_t> labels;         // of each example, places in dataset_classes; or none
  std::string dataset_fingerprint;
  std::string judging_side = "test";  // Dataset::judging_side
  std::optional<double> test_error;   // fraction; nothing where there are no labels
  std::vector<std::string> model_classes;
  // Where they were asked for: num_examples x classes of the model, and the margin of the class that was
  // predicted for each example.
  std::vector<double> scores = {}, margins = {};
  PredictionSeconds seconds;
  std::vector<std::string> warnings = {};  // on the data set, and on what the model knows of it
};

// A data set whose test side was classified, with its examples.
struct ClassifiedDataset {
  Dataset dataset;
  DatasetPrediction prediction;
};

// The prediction of a data set's test side, made from the class that was predicted for each example. classes:
// their numbers in the model.
DatasetPrediction judged_prediction(const Model& model, const Dataset& dataset,
                                    std::span<const std::uint16_t> classes);

// Classifies the test side of a data set. Errors: as above; those of load_dataset and parse_perturbation; the
// data set is of another kind than the model's; the store cannot be written to.
Result<DatasetPrediction> predict_dataset(const ModelSource& source, const DatasetToPredict& dataset,
                                          const WorkContext& work);
// The same, for callers that look at the examples.
Result<ClassifiedDataset> classify_dataset(const ModelSource& source, const DatasetToPredict& dataset,
                                           const WorkContext& work);

// The documents that --json prints; their keys are a contract.
nlohmann::ordered_json to_json(std::span<const ImagePrediction> predictions);
nlohmann::ordered_json to_json(const DatasetToPredict& dataset, const DatasetPrediction& prediction);

}  // namespace mash
