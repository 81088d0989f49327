// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/prediction/predict.hpp"

namespace mash {

// A model with the heuristics that it was trained with, and what it is shown.
struct LoadedModel {
  std::string name;  // its file's, for errors
  Model model;
  Catalogue catalogue;
};
// Errors (kInput): those of read_model and open_catalogue.
Result<LoadedModel> load_model(const ModelSource& source, const WorkContext& work);

// The pictures as a split without labels that count, in the model's size and channels. Errors (kInput): the
// model was trained on a table; a picture that cannot be read, or of another size than the model's where that
// was not trained on resized ones.
Result<Split> read_pictures_for(const LoadedModel& loaded, const std::vector<std::string>& paths,
                                const WorkContext& work);

// The perturbation of the images of a data set, if any. Errors: those of parse_perturbation.
Result<std::optional<Perturbation>> perturbation_of(const DatasetToPredict& wanted);

// The data set to be classified, its test side perturbed. Errors (kInput): those of load_dataset; a data set
// of another kind than the model's; a perturbation of a table.
Result<Dataset> read_dataset_for(const Model& model, const DatasetToPredict& wanted,
                                 const std::optional<Perturbation>& perturbation, const WorkContext& work);

// Results on a data set's test side, given a predicted class of the model for each example.
// classes: their numbers in the model.
DatasetPrediction judged_prediction(const Model& model, const Dataset& dataset,
                                    std::span<const std::uint16_t> classes);

}  // namespace mash
