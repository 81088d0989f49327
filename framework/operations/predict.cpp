// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/predict.hpp"

#include <algorithm>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/code_classifier.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/file.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/dataset/picture_block.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/places.hpp"

namespace mash {
namespace {

// The size that the model's pictures were brought to, where they were.
std::optional<Resize> resize_of(const ImageShape& shape) {
  if (shape.resize == ResizeMode::kNone) return std::nullopt;
  return Resize{shape.width, shape.height, shape.resize};
}

// The pictures as a split without labels that count. Errors: a picture of another size than the model's,
// where the model was not trained on resized ones.
Result<Split> read_images(const std::vector<std::string>& paths, const ImageShape& shape,
                          const WorkContext& work) {
  PictureOptions options;
  options.resize = resize_of(shape);
  options.advice_for_sizes = ", as those that the model was trained on (without resize)";
  std::vector<PictureEntry> entries;
  for (const std::string& path : paths) entries.push_back({path, 0, std::uint32_t(entries.size()), 0});
  ImageShape colour = shape;
  colour.num_channels = 3;
  work.progress.start("reading images", paths.size(), "images");
  MASH_ASSIGN(PictureBlock block, read_pictures(entries, colour, options, work.workers, work.progress));
  work.progress.finish();
  if (shape.num_channels == 1) turn_grey(block.split);
  return std::move(block.split);
}

// The settings of a folder of pictures, with the size and channels that the model needs where neither the
// user nor the import says anything of them.
Result<Settings> settings_for(const DatasetToPredict& wanted, const ImageShape& shape) {
  Settings settings = wanted.settings;
  MASH_ASSIGN(const auto imported, find_imported(wanted.name));
  const Settings all = imported ? settings_of(*imported, settings) : settings;
  if ((imported ? imported->format : wanted.name) != "folder" || shape.width == 0) return settings;
  const bool is_resized = all.has("resize") || all.has("resize.width") || all.has("resize.height");
  if (shape.resize != ResizeMode::kNone && !is_resized) {
    settings.add("resize.width", std::to_string(shape.width), "the model");
    settings.add("resize.height", std::to_string(shape.height), "the model");
    for (const auto& mode : kResizeModes)
      if (mode.value == shape.resize) settings.add("resize.mode", std::string(mode.name), "the model");
  }
  if (!all.has("channels")) settings.add("channels", shape.num_channels == 1 ? "grey" : "rgb", "the model");
  return settings;
}

Result<Dataset> read_dataset(const DatasetToPredict& wanted, const std::optional<Perturbation>& perturbation,
                             const Model& model, Progress& progress) {
  MASH_ASSIGN(const Settings settings, settings_for(wanted, model.shape()));
  MASH_ASSIGN(Dataset dataset, load_dataset(wanted.name, settings, wanted.seed, progress));
  if (!dataset.shape.has_pixels_of(model.shape()) ||
      dataset.column_names.size() != model.column_names().size())
    return input_error(
        "data set {}: found {}x{}x{} images and {} columns, the model was trained on {}x{}x{} and {}",
        wanted.name, dataset.shape.width, dataset.shape.height, dataset.shape.num_channels,
        dataset.column_names.size(), model.shape().width, model.shape().height, model.shape().num_channels,
        model.column_names().size());
  if (dataset.shape.num_cameras != model.shape().num_cameras)
    return input_error("data set {}: found images from {} cameras, the model was trained on {}", wanted.name,
                       dataset.shape.num_cameras, model.shape().num_cameras);
  if (perturbation) {
    if (dataset.is_table())
      return input_error("perturbation: data set {} is a table, expected images", wanted.name);
    perturb(dataset.test, dataset.shape, *perturbation, wanted.seed);
  }
  return dataset;
}

// The class of the model with this name; num_classes where it has none: then the example counts as wrong.
std::size_t class_of(const Model& model, const std::string& name) {
  return std::size_t(std::find(model.class_names().begin(), model.class_names().end(), name) -
                     model.class_names().begin());
}

// The model without the families that no cut asks.
StrongClassifier with_used_families(StrongClassifier model) {
  std::vector<std::uint32_t> indices(model.families.size());
  std::vector<bool> used(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) used[cut.family_idx] = true;
  std::vector<ModelFamily> kept;
  for (std::size_t k = 0; k < used.size(); ++k) {
    indices[k] = std::uint32_t(kept.size());
    if (used[k]) kept.push_back(std::move(model.families[k]));
  }
  model.families = std::move(kept);
  for (Hypothesis& hypothesis : model.hypotheses)
    for (Cut& cut : hypothesis.cuts) cut.family_idx = indices[cut.family_idx];
  return model;
}

// The features of the model's families from a store, which gets what it lacks.
Result<FeatureSet> stored_features(const StrongClassifier& model, const std::filesystem::path& store,
                                   Catalogue& catalogue, const Dataset& dataset, const WorkContext& work) {
  std::vector<FamilySpec> specs;
  for (const ModelFamily& family : model.families) {
    FamilySpec& spec = specs.emplace_back(columns_family());
    if (family.heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, catalogue));
    spec = {family.name, *info, family.values, describe_values(*info, family.values), true};
  }
  return FeatureSet::open(specs, {store}, {catalogue.host(), dataset, work});
}

// A model with the heuristics that it was trained with, and its file's name for errors.
struct LoadedModel {
  std::string name;
  Model model;
  Catalogue catalogue;
};
Result<LoadedModel> load_model(const ModelSource& source, const WorkContext& work) {
  MASH_ASSIGN(Model model, read_model(source.model));
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(source.plugins, work.remarks));
  return LoadedModel{source.model.string(), std::move(model), std::move(catalogue)};
}

// The class of each example of the test side, from the images. Fills in the seconds.
Result<std::vector<std::uint16_t>> classes_of_images(LoadedModel& loaded, const Dataset& dataset,
                                                     const WorkContext& work, DatasetPrediction& prediction) {
  const auto predictor = Predictor::open(loaded.model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  const Stopwatch watch;
  MASH_ASSIGN(const auto scores, predictor->scores(dataset.test, work.workers, work.progress, work.stop));
  auto classes = predicted_classes(scores, loaded.model.num_classes());
  prediction.seconds = watch.seconds();
  return classes;
}

// The same from a feature store.
Result<std::vector<std::uint16_t>> classes_of_codes(LoadedModel& loaded, const std::filesystem::path& store,
                                                    const Dataset& dataset, const WorkContext& work,
                                                    DatasetPrediction& prediction) {
  if (loaded.model.additive() == nullptr)
    return input_error("{}: this kind of model cannot be read from stored features; predict without a store",
                       loaded.name);
  const StrongClassifier used = with_used_families(*loaded.model.additive());
  if (used.families.empty()) return input_error("{}: has no hypothesis", loaded.name);
  MASH_ASSIGN(const FeatureSet features, stored_features(used, store, loaded.catalogue, dataset, work));
  const auto classifier = CodeClassifier::make(used, features);
  if (!classifier.ok()) return classifier.error().at(loaded.name);
  const Stopwatch watch;
  const CodeClassifier::Codes codes = classifier->read(Side::kTest, work.workers);
  prediction.read_seconds = watch.seconds();
  auto classes = classifier->classes(codes, work.workers);
  prediction.seconds = watch.seconds() - *prediction.read_seconds;
  prediction.extract_seconds = features.extract_seconds();
  return classes;
}

}  // namespace

Result<Model> read_model(const std::filesystem::path& path) {
  MASH_ASSIGN(const std::string text, read_file(path));
  auto model = parse_model(text);
  if (!model.ok()) return model.error().at(path.string());
  return model;
}

Result<std::vector<ImagePrediction>> predict_images(const ModelSource& source,
                                                    const std::vector<std::string>& images,
                                                    const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  const Model& model = loaded.model;
  const auto predictor = Predictor::open(model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  if (model.shape().width == 0)
    return input_error("{}: was trained on a table, not on images; expected a data set to predict",
                       loaded.name);
  MASH_ASSIGN(const Split split, read_images(images, model.shape(), work));
  MASH_ASSIGN(const std::vector<double> scores,
              predictor->scores(split, work.workers, work.progress, work.stop));
  const double bound = model.score_bound();
  std::vector<ImagePrediction> predictions;
  for (std::size_t n = 0; n < images.size(); ++n) {
    const auto of_image = std::span(scores).subspan(n * model.num_classes(), model.num_classes());
    const std::size_t label = predicted_class(of_image);
    predictions.push_back({images[n],
                           model.class_names()[label],
                           margin(of_image, label, bound),
                           {of_image.begin(), of_image.end()}});
  }
  return predictions;
}

Result<DatasetPrediction> predict_dataset(const ModelSource& source, const DatasetToPredict& wanted,
                                          const WorkContext& work) {
  std::optional<Perturbation> perturbation;
  if (!wanted.perturbation.empty()) {
    const auto parsed = parse_perturbation(wanted.perturbation);
    if (!parsed.ok()) return parsed.error();
    perturbation = *parsed;
  }
  if (!wanted.store.empty()) MASH_TRY(check_store_folder(wanted.store));
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  const Model& model = loaded.model;
  MASH_ASSIGN(const Dataset dataset, read_dataset(wanted, perturbation, model, work.progress));
  DatasetPrediction prediction;
  prediction.dataset = dataset.name;
  prediction.dataset_fingerprint = dataset.fingerprint;
  prediction.dataset_classes = dataset.class_names;
  prediction.labels = dataset.test.labels;
  std::vector<std::uint16_t> classes;
  if (wanted.store.empty()) {
    MASH_ASSIGN(classes, classes_of_images(loaded, dataset, work, prediction));
  } else {
    MASH_ASSIGN(classes, classes_of_codes(loaded, wanted.store, dataset, work, prediction));
  }
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < dataset.test.num_examples; ++n) {
    num_wrong += classes[n] != class_of(model, dataset.class_names[dataset.test.labels[n]]);
    prediction.classes.push_back(model.class_names()[classes[n]]);
  }
  prediction.test_error = double(num_wrong) / double(std::max<std::size_t>(1, classes.size()));
  return prediction;
}

}  // namespace mash
