// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/predict.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "classifiers/serving/code_classifier.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "classifiers/serving/predictor.hpp"
#include "classifiers/serving/stored_scores.hpp"
#include "framework/operations/common/places.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// Drops the families that are not used. The place of each of the others among them.
std::vector<std::uint32_t> drop_unused(const std::vector<bool>& used, std::vector<ModelFamily>& families) {
  std::vector<std::uint32_t> places(families.size());
  std::vector<ModelFamily> kept;
  for (std::size_t k = 0; k < used.size(); ++k) {
    places[k] = std::uint32_t(kept.size());
    if (used[k]) kept.push_back(std::move(families[k]));
  }
  families = std::move(kept);
  return places;
}

// The model without the families that no cut asks.
StrongClassifier with_used_families(StrongClassifier model) {
  std::vector<bool> used(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) used[cut.family_idx] = true;
  const std::vector<std::uint32_t> places = drop_unused(used, model.families);
  model.costs.reset();  // of families that may be gone
  for (Hypothesis& hypothesis : model.hypotheses)
    for (Cut& cut : hypothesis.cuts) cut.family_idx = places[cut.family_idx];
  return model;
}

// The model without the families that have no input.
template <class Kind>
Kind with_used_inputs(Kind model) {
  std::vector<bool> used(model.families.size());
  for (const ModelInput& input : model.inputs) used[input.family_idx] = true;
  const std::vector<std::uint32_t> places = drop_unused(used, model.families);
  for (ModelInput& input : model.inputs) input.family_idx = places[input.family_idx];
  return model;
}

// The answers of a model on a test side.
struct TestAnswers {
  std::vector<std::uint16_t> classes;
  std::vector<double> scores;  // where they were asked for
};

// A store with the surroundings in which a model reads it.
struct StoreToRead {
  const std::filesystem::path& folder;
  Catalogue& catalogue;
  const Dataset& dataset;
  const WorkContext& work;
  bool with_scores;
};

// The features of these families from the store, which gets what it lacks.
Result<FeatureSet> stored_features(std::span<const ModelFamily> families, FeatureNumber number,
                                   const StoreToRead& store) {
  std::vector<FamilySpec> specs;
  for (const ModelFamily& family : families) {
    FamilySpec& spec = specs.emplace_back(columns_family());
    if (family.heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, store.catalogue));
    spec = {family.name, *info, family.values, describe_values(*info, family.values), true};
  }
  StoreSettings settings{store.folder};
  settings.keep_values = number == FeatureNumber::kValue;
  return FeatureSet::open(specs, settings, {store.catalogue.host(), store.dataset, store.work});
}

// The scores of the test side, the same bits as those of training. REQUIRES: the store has the thresholds.
std::vector<double> scores_of_stored(const StrongClassifier& model, const FeatureSet& features) {
  const std::size_t num_classes = model.num_classes();
  std::vector<double> scores;
  for_each_cells(model.hypotheses, features, Side::kTest,
                 [&](const Hypothesis& hypothesis, const std::vector<std::uint8_t>& cells) {
                   scores.resize(cells.size() * num_classes);
                   const std::vector<double> votes = cell_votes(hypothesis);
                   for (std::size_t n = 0; n < cells.size(); ++n)
                     for (std::size_t l = 0; l < num_classes; ++l)
                       scores[n * num_classes + l] += hypothesis.alpha * votes[cells[n] * num_classes + l];
                 });
  return scores;
}

// The class of each example of the test side, from the store. Fills in the seconds. Errors are without the
// model's name.
Result<TestAnswers> answers_of_stored(const StrongClassifier& model, const StoreToRead& store,
                                      PredictionSeconds& seconds) {
  const StrongClassifier used = with_used_families(model);
  if (used.families.empty()) return input_error("has no hypothesis");
  MASH_ASSIGN(const FeatureSet features, stored_features(used.families, FeatureNumber::kCode, store));
  MASH_ASSIGN(const CodeClassifier classifier, CodeClassifier::make(used, features));
  const Stopwatch watch;
  const CodeClassifier::Codes codes = classifier.read(Side::kTest, store.work.workers);
  seconds.read = watch.seconds();
  TestAnswers answers{classifier.classes(codes, store.work.workers), {}};
  seconds.classify = watch.seconds() - *seconds.read;
  seconds.extract = features.extract_seconds();
  if (store.with_scores) answers.scores = scores_of_stored(used, features);
  return answers;
}

// The same of a model with inputs, which reads the features while it scores.
template <class Kind>
Result<TestAnswers> answers_of_stored(const Kind& model, const StoreToRead& store,
                                      PredictionSeconds& seconds) {
  const Kind used = with_used_inputs(model);
  if (used.families.empty()) return input_error("reads no feature; predict without a store");
  const FeatureNumber number = number_of(used);
  MASH_ASSIGN(const FeatureSet features, stored_features(used.families, number, store));
  MASH_TRY(check_inputs(used, features));
  const Stopwatch watch;
  TestAnswers answers;
  MASH_ASSIGN(answers.scores,
              stored_scores(used, number_scores(used), features, number, Side::kTest, store.work));
  answers.classes = predicted_classes(answers.scores, used.num_classes());
  seconds.classify = watch.seconds();
  seconds.extract = features.extract_seconds();
  return answers;
}

Result<TestAnswers> answers_of_store(const LoadedModel& loaded, const StoreToRead& store,
                                     PredictionSeconds& seconds) {
  auto answers =
      loaded.model.visit([&](const auto& model) { return answers_of_stored(model, store, seconds); });
  if (!answers.ok() && answers.error().kind == ErrorKind::kInput) return answers.error().at(loaded.name);
  return answers;
}

// The class of each example of the test side, from the images. Fills in the seconds.
Result<TestAnswers> answers_of_images(LoadedModel& loaded, const Dataset& dataset, const WorkContext& work,
                                      PredictionSeconds& seconds) {
  const auto predictor = Predictor::open(loaded.model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  const Stopwatch watch;
  TestAnswers answers;
  MASH_ASSIGN(answers.scores, predictor->scores(dataset.test, work.workers, work.progress, work.stop));
  answers.classes = predicted_classes(answers.scores, loaded.model.num_classes());
  seconds.classify = watch.seconds();
  return answers;
}

// Fills in the scores, and the margin of the class that was predicted.
void put_scores(const Model& model, std::vector<double> scores, DatasetPrediction& prediction) {
  const std::size_t num_classes = model.num_classes();
  const double bound = model.score_bound();
  for (std::size_t begin = 0; begin < scores.size(); begin += num_classes) {
    const auto of_example = std::span(scores).subspan(begin, num_classes);
    prediction.margins.push_back(margin(of_example, predicted_class(of_example), bound));
  }
  prediction.scores = std::move(scores);
}

// The class of the model with this name; num_classes where it has none: then the example counts as wrong.
std::size_t class_of(const Model& model, const std::string& name) {
  return std::size_t(std::find(model.class_names().begin(), model.class_names().end(), name) -
                     model.class_names().begin());
}

}  // namespace

DatasetPrediction judged_prediction(const Model& model, const Dataset& dataset,
                                    std::span<const std::uint16_t> classes) {
  DatasetPrediction prediction;
  prediction.judging_side = dataset.judging_side;
  prediction.dataset = dataset.name;
  prediction.names = example_names(dataset, dataset.test);
  prediction.model_classes = model.class_names();
  prediction.warnings = dataset.warnings;
  prediction.dataset_fingerprint = dataset.fingerprint;
  prediction.dataset_classes = dataset.class_names;
  prediction.labels = dataset.test.labels;
  for (const std::uint16_t class_idx : classes) prediction.classes.push_back(model.class_names()[class_idx]);
  if (prediction.labels.empty()) return prediction;
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < classes.size(); ++n)
    num_wrong += classes[n] != class_of(model, dataset.class_names[prediction.labels[n]]);
  prediction.test_error = double(num_wrong) / double(std::max<std::size_t>(1, classes.size()));
  return prediction;
}

Result<std::vector<std::string>> class_names_of(const std::filesystem::path& model) {
  MASH_ASSIGN(const Model read, read_model(model));
  return read.class_names();
}

Result<std::vector<ImagePrediction>> predict_images(const ModelSource& source,
                                                    const PicturesToPredict& pictures,
                                                    const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  const Model& model = loaded.model;
  const auto predictor = Predictor::open(model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  MASH_ASSIGN(const ReadPictures read, read_pictures_for(loaded, pictures, work));
  MASH_ASSIGN(const std::vector<double> scores,
              predictor->scores(read.split, work.workers, work.progress, work.stop));
  const double bound = model.score_bound();
  std::vector<ImagePrediction> predictions;
  std::size_t place = 0;  // among those that were read
  for (std::size_t n = 0; n < pictures.paths.size(); ++n) {
    if (read.broken[n]) {
      predictions.push_back({pictures.paths[n], read.broken[n]});
      continue;
    }
    const auto of_image = std::span(scores).subspan(place++ * model.num_classes(), model.num_classes());
    const std::size_t label = predicted_class(of_image);
    predictions.push_back({pictures.paths[n],
                           std::nullopt,
                           model.class_names()[label],
                           margin(of_image, label, bound),
                           {of_image.begin(), of_image.end()}});
  }
  return predictions;
}

Result<DatasetPrediction> predict_dataset(const ModelSource& source, const DatasetToPredict& wanted,
                                          const WorkContext& work) {
  MASH_ASSIGN(ClassifiedDataset classified, classify_dataset(source, wanted, work));
  return std::move(classified.prediction);
}

Result<ClassifiedDataset> classify_dataset(const ModelSource& source, const DatasetToPredict& wanted,
                                           const WorkContext& work) {
  MASH_ASSIGN(const auto perturbation, perturbation_of(wanted));
  if (!wanted.store.empty()) MASH_TRY(check_store_folder(wanted.store));
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  MASH_ASSIGN(Dataset dataset, read_dataset_for(loaded.model, wanted, perturbation, work));
  if (!wanted.store.empty() && dataset.train.num_examples == 0)
    return input_error(
        "data set {}: found no training side, expected one to fill the store with; predict "
        "without a store",
        dataset.name);
  PredictionSeconds seconds;
  TestAnswers answers;
  if (wanted.store.empty()) {
    MASH_ASSIGN(answers, answers_of_images(loaded, dataset, work, seconds));
  } else {
    MASH_ASSIGN(answers,
                answers_of_store(loaded, {wanted.store, loaded.catalogue, dataset, work, wanted.with_scores},
                                 seconds));
  }
  ClassifiedDataset classified{{}, judged_prediction(loaded.model, dataset, answers.classes)};
  classified.prediction.seconds = seconds;
  if (wanted.with_scores) put_scores(loaded.model, std::move(answers.scores), classified.prediction);
  classified.dataset = std::move(dataset);
  return classified;
}

Json to_json(std::span<const ImagePrediction> predictions) {
  Json list = Json::array();
  for (const ImagePrediction& prediction : predictions) {
    if (prediction.broken)
      list.push_back({{"broken", *prediction.broken}, {"image", prediction.image}});
    else
      list.push_back({{"class", prediction.class_name},
                      {"margin", prediction.margin},
                      {"scores", prediction.scores},
                      {"image", prediction.image}});
  }
  return {{"predictions", list}};
}

Json to_json(const DatasetToPredict& dataset, const DatasetPrediction& prediction) {
  Json json{{"dataset", prediction.dataset},
            {"judged_by", prediction.judging_side},
            {"examples", prediction.classes.size()},
            {"test_error", prediction.test_error ? Json(*prediction.test_error) : Json()}};
  if (!dataset.perturbation.empty()) json["perturbation"] = dataset.perturbation;
  const PredictionSeconds& seconds = prediction.seconds;
  if (seconds.extract) json["extract_seconds"] = *seconds.extract;
  if (seconds.read) json["read_seconds"] = *seconds.read;
  json["seconds"] = seconds.classify;
  json["warnings"] = prediction.warnings;
  json["predictions"] = prediction.classes;
  if (!prediction.names.empty()) json["names"] = prediction.names;
  if (prediction.scores.empty()) return json;
  json["classes"] = prediction.model_classes;
  json["margins"] = prediction.margins;
  json["scores"] = Json::array();
  const std::size_t num_classes = prediction.model_classes.size();
  for (auto row = prediction.scores.begin(); row != prediction.scores.end();
       row += std::ptrdiff_t(num_classes))
    json["scores"].push_back(std::vector<double>(row, row + std::ptrdiff_t(num_classes)));
  return json;
}

}  // namespace mash
