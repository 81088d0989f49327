// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/common/plugins.hpp"

namespace mash {

// A model file, with the places of the heuristics that it was trained with.
struct ModelSource {
  std::filesystem::path model;
  PluginPlaces plugins;
};

// Errors (kInput): there is no such file, or it is no model; the message names the file.
Result<Model> read_model(const std::filesystem::path& path);

// A model with the heuristics that it was trained with.
struct LoadedModel {
  std::string name;  // its file's, for errors
  Model model;
  Catalogue catalogue;
};
// Errors (kInput): those of read_model and open_catalogue.
Result<LoadedModel> load_model(const ModelSource& source, const WorkContext& work);

// The pictures as a split, in the model's size and channels; its labels mean nothing. Errors (kInput): the
// model was trained on a table; a picture cannot be read; a picture has another size than the model's, where
// the model was not trained on resized pictures.
Result<Split> read_pictures_for(const LoadedModel& loaded, const std::vector<std::string>& paths,
                                const WorkContext& work);

// The rows of a table as the test side of a data set, with the model's columns. What is not as one would
// expect becomes remarks. Errors (kInput): those of load_rows; the model was trained on images.
Result<Dataset> read_rows_for(const LoadedModel& loaded, const std::filesystem::path& table,
                              const Settings& settings, const WorkContext& work);

// The test side of a data set.
struct DatasetToPredict {
  std::string name;
  Settings settings;
  std::uint64_t seed = 1;       // of a generated data set, a split or a perturbation
  std::filesystem::path store;  // take features from this feature store; empty: compute them from the images
  std::string perturbation;     // "rotation=10": change the images first; empty: not. Not with a store
};

// The perturbation of the images of a data set, if any. Errors: those of parse_perturbation.
Result<std::optional<Perturbation>> perturbation_of(const DatasetToPredict& wanted);

// Reads the data set to classify, and perturbs its test side. A table has the model's columns and codes, and
// may have no labels. Errors (kInput): those of load_dataset; the data set is of another kind than the
// model's; a perturbation of a table.
Result<Dataset> read_dataset_for(const Model& model, const DatasetToPredict& wanted,
                                 const std::optional<Perturbation>& perturbation, const WorkContext& work);

// Checks that errors can be counted. Errors (kInput): the test side has no labels.
Status check_labels(const Dataset& dataset);

}  // namespace mash
