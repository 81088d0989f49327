// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/common/plugins.hpp"

namespace mash {

// Treatment of heuristics that have changed since a model was trained, though their version is the same.
struct ChangedHeuristics {
  bool are_taken = false;   // with a warning; else they are an error
  std::string advice = {};  // the end of that error: how to take them
};

// A model file, with the places of the heuristics that it was trained with.
struct ModelSource {
  std::filesystem::path model;
  PluginPlaces plugins;
  ChangedHeuristics changed = {};
};

// Errors (kInput): there is no such file, or it is no model; the message names the file.
Result<Model> read_model(const std::filesystem::path& path);

// A model with the heuristics that it was trained with.
struct LoadedModel {
  std::string name;  // its file's, for errors
  Model model;
  Catalogue catalogue;
};
// Checks that the heuristics that are found compute what they computed when the model was trained. What
// cannot be compared, or is used all the same, becomes a remark. name: the model's, for errors. Errors
// (kInput): they do not, and are not taken; a heuristic's own.
Status check_heuristics(const Model& model, std::string_view name, const ChangedHeuristics& treatment,
                        Catalogue& catalogue, Remarks& remarks);

// Warns of the plugins that were refused. Errors (kInput): those of read_model, open_catalogue and
// check_heuristics.
Result<LoadedModel> load_model(const ModelSource& source, const WorkContext& work);

// Pictures to classify.
struct PicturesToPredict {
  std::vector<std::string> paths;
  bool skip_broken = false;            // go on without those that cannot be classified
  std::string advice_for_broken = {};  // the end of an error about one: how to skip it
};

// The pictures in the model's size and channels.
struct ReadPictures {
  Split split;  // of those that are not broken; its labels mean nothing
  // For each path why it cannot be classified; nothing where it can.
  std::vector<std::optional<std::string>> broken;
};

// Reads pictures for a model. Errors (kInput): the model was trained on a table; a picture, or with
// skip_broken each of them, cannot be read or has another size than the model's, where the model was not
// trained on resized pictures.
Result<ReadPictures> read_pictures_for(const LoadedModel& loaded, const PicturesToPredict& pictures,
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
  bool with_scores = false;     // give the scores of all examples too
  bool counts_errors = true;    // by the test side, of which the model may have seen a part
};

// The perturbation of the images of a data set, if any. Errors: those of parse_perturbation.
Result<std::optional<Perturbation>> perturbation_of(const DatasetToPredict& wanted);

// Reads the data set to classify, and perturbs its test side. A table has the model's columns and codes, and
// may have no labels. Where errors are counted, a warning says how many examples of the test side equal ones
// that the model was trained on, unless the training side is that of the model, too. Errors (kInput): those
// of load_dataset; the data set is of another kind than the model's; a perturbation of a table.
Result<Dataset> read_dataset_for(const Model& model, const DatasetToPredict& wanted,
                                 const std::optional<Perturbation>& perturbation, const WorkContext& work);

// Checks that errors can be counted. Errors (kInput): the test side has no labels.
Status check_labels(const Dataset& dataset);

}  // namespace mash
