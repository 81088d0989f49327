// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/code_classifier.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/perturbation.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct PredictOptions {
  OutputOptions output;
  CatalogueOptions catalogue;
  std::string model;
  std::vector<std::string> images;
  std::string dataset;
  DatasetOptions dataset_options;
  std::string store;
  std::string perturbation;
  int num_threads = 0;
};

// The class that the model gives each example of the test side, and where the seconds went.
struct Predicted {
  std::vector<std::uint16_t> classes;
  std::optional<double> extract_seconds;  // to fill the store, where there is one
  std::optional<double> read_seconds;     // of the codes, from there into memory
  double seconds = 0;                     // without these
};

std::string perturbation_names() {
  std::vector<std::string> names;
  for (const PerturbationInfo& info : perturbations())
    names.push_back(fmt::format("{} ({})", info.name, info.unit));
  return fmt::format("{}", fmt::join(names, "; "));
}

Result<Model> read_model(const std::string& path) {
  MASH_ASSIGN(const std::string text, read_file(path));
  auto model = parse_model(text);
  if (!model.ok()) return model.error().at(path);
  return model;
}

// The pictures as a split without labels. Errors: a picture of another size than the model's.
Result<Split> read_images(const std::vector<std::string>& paths, const ImageShape& shape) {
  Split split;
  split.num_examples = paths.size();
  for (const std::string& path : paths) {
    MASH_ASSIGN(const LoadedSource source, read_source(path));
    MASH_ASSIGN(const DecodedImage image, decode_image(source));
    if (image.shape.width != shape.width || image.shape.height != shape.height)
      return input_error("{}: found {}x{} pixels, expected {}x{} as the model was trained on", path,
                         image.shape.width, image.shape.height, shape.width, shape.height);
    const auto pixels = shape.num_channels == 1 ? to_grey(image.pixels) : image.pixels;
    split.pixels.insert(split.pixels.end(), pixels.begin(), pixels.end());
  }
  return split;
}

Result<Dataset> read_dataset(const PredictOptions& options, const Model& model,
                             Progress& progress) {
  MASH_ASSIGN(Dataset dataset, options.dataset_options.load(options.dataset, progress));
  if (dataset.shape != model.shape() || dataset.column_names.size() != model.column_names().size())
    return input_error(
        "data set {}: found {}x{}x{} images and {} columns, the model was trained on {}x{}x{} and {}",
        options.dataset, dataset.shape.width, dataset.shape.height, dataset.shape.num_channels,
        dataset.column_names.size(), model.shape().width, model.shape().height, model.shape().num_channels,
        model.column_names().size());
  if (!options.perturbation.empty()) {
    if (dataset.is_table())
      return input_error("--perturb: data set {} is a table, expected images", options.dataset);
    perturb(dataset.test, dataset.shape, *parse_perturbation(options.perturbation),
            options.dataset_options.seed);
  }
  return dataset;
}

Json prediction_json(const Model& model, std::span<const double> scores, double score_bound) {
  const std::size_t label = predicted_class(scores);
  return {{"class", model.class_names()[label]},
          {"margin", margin(scores, label, score_bound)},
          {"scores", std::vector<double>(scores.begin(), scores.end())}};
}

Status predict_images(const PredictOptions& options, const Model& model,
                      const Predictor& predictor) {
  if (model.shape().width == 0)
    return input_error("{}: was trained on a table, not on images; use --dataset", options.model);
  MASH_ASSIGN(const Split split, read_images(options.images, model.shape()));
  MASH_ASSIGN(
      const std::vector<double> scores,
      predictor.scores(split, Workers(options.num_threads), *options.output.progress(), stop_on_signals()));
  const double total = model.score_bound();
  Json list = Json::array();
  for (std::size_t n = 0; n < options.images.size(); ++n) {
    Json json = prediction_json(
        model, std::span(scores).subspan(n * model.num_classes(), model.num_classes()), total);
    if (!options.output.json)
      fmt::print("{}\t{}\t{:.3f}\n", options.images[n], json["class"].get<std::string>(),
                 json["margin"].get<double>());
    json["image"] = options.images[n];
    list.push_back(std::move(json));
  }
  if (options.output.json) print_json({{"predictions", list}});
  return Done{};
}

// The class of the model with this name; num_classes where it has none: then the example counts as wrong.
std::size_t class_of(const Model& model, const std::string& name) {
  return std::size_t(std::find(model.class_names().begin(), model.class_names().end(), name) -
                     model.class_names().begin());
}

// The model without the families that no cut asks.
StrongClassifier with_used_families(StrongClassifier model) {
  std::vector<std::uint32_t> places(model.families.size());
  std::vector<bool> used(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) used[cut.family_idx] = true;
  std::vector<ModelFamily> kept;
  for (std::size_t k = 0; k < used.size(); ++k) {
    places[k] = std::uint32_t(kept.size());
    if (used[k]) kept.push_back(std::move(model.families[k]));
  }
  model.families = std::move(kept);
  for (Hypothesis& hypothesis : model.hypotheses)
    for (Cut& cut : hypothesis.cuts) cut.family_idx = places[cut.family_idx];
  return model;
}

Result<FeatureSet> stored_features(const PredictOptions& options, const StrongClassifier& model,
                                   Catalogue& catalogue, const Dataset& dataset, const Workers& workers,
                                   Progress& progress) {
  std::vector<FamilySpec> specs;
  for (const ModelFamily& family : model.families) {
    FamilySpec& spec = specs.emplace_back(columns_family());
    if (family.heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, catalogue));
    spec = {family.name, *info, family.values, describe_values(*info, family.values), true};
  }
  return FeatureSet::open(specs, {options.store},
                          {catalogue.host(), dataset, workers, progress, stop_on_signals()});
}

Result<Predicted> predict_test_side(const PredictOptions& options, const Model& model,
                                    Catalogue& catalogue, const Dataset& dataset, Progress& progress) {
  const Workers workers(options.num_threads);
  Predicted result;
  if (options.store.empty()) {
    const auto predictor = Predictor::open(model, catalogue);
    if (!predictor.ok()) return predictor.error().at(options.model);
    const Stopwatch watch;
    MASH_ASSIGN(const auto scores, predictor->scores(dataset.test, workers, progress, stop_on_signals()));
    result.classes = predicted_classes(scores, model.num_classes());
    result.seconds = watch.seconds();
    return result;
  }
  if (model.additive() == nullptr)
    return input_error("{}: is no sum of weak hypotheses; predict without --store", options.model);
  const StrongClassifier used = with_used_families(*model.additive());
  if (used.families.empty()) return input_error("{}: has no hypothesis", options.model);
  const auto features = stored_features(options, used, catalogue, dataset, workers, progress);
  if (!features.ok()) return features.error();
  const auto classifier = CodeClassifier::make(used, *features);
  if (!classifier.ok()) return classifier.error().at(options.model);
  const Stopwatch watch;
  const CodeClassifier::Codes codes = classifier->read(Side::kTest, workers);
  result.read_seconds = watch.seconds();
  result.classes = classifier->classes(codes, workers);
  result.seconds = watch.seconds() - *result.read_seconds;
  result.extract_seconds = features->extract_seconds();
  return result;
}

Status predict_dataset(const PredictOptions& options, const Model& model, Catalogue& catalogue) {
  const auto progress = options.output.progress();
  MASH_ASSIGN(const Dataset dataset, read_dataset(options, model, *progress));
  MASH_ASSIGN(const Predicted predicted, predict_test_side(options, model, catalogue, dataset, *progress));
  std::size_t num_wrong = 0;
  Json predictions = Json::array();
  for (std::size_t n = 0; n < dataset.test.num_examples; ++n) {
    num_wrong += predicted.classes[n] != class_of(model, dataset.class_names[dataset.test.labels[n]]);
    predictions.push_back(model.class_names()[predicted.classes[n]]);
  }
  const double error = double(num_wrong) / double(std::max<std::size_t>(1, dataset.test.num_examples));
  if (options.output.json) {
    Json json{{"dataset", options.dataset}, {"examples", dataset.test.num_examples}, {"test_error", error}};
    if (!options.perturbation.empty()) json["perturbation"] = options.perturbation;
    if (predicted.extract_seconds) json["extract_seconds"] = *predicted.extract_seconds;
    if (predicted.read_seconds) json["read_seconds"] = *predicted.read_seconds;
    json["seconds"] = predicted.seconds;
    json["predictions"] = std::move(predictions);
    print_json(json);
  } else {
    fmt::print(
        "{}: {} test examples, error {:.2f} %, {:.2f} s\n", options.dataset, dataset.test.num_examples,
        100 * error,
        predicted.extract_seconds.value_or(0) + predicted.read_seconds.value_or(0) + predicted.seconds);
  }
  return Done{};
}

}  // namespace

Subcommand add_predict(CLI::App& program) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* app = program.add_subcommand("predict", "Classify images, or the test side of a data set");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")->required();
  app->add_option("IMAGES", options->images, "Pictures of the size that the model was trained on");
  app->add_option("--dataset", options->dataset, "Classify the test side of this data set")
      ->type_name("NAME");
  options->dataset_options.add_to(*app);
  app->add_option(
         "--store", options->store,
         "Take features from this feature store; families that it lacks are extracted, training side too")
      ->type_name("DIR");
  app->add_option(
         "--perturb", options->perturbation,
         fmt::format(
             "Change the test images first, at random by --seed, to see whether the model minds; one of {}",
             perturbation_names()))
      ->type_name("KIND=AMOUNT");
  app->add_option("--threads", options->num_threads, "Threads; 0 for one per core")
      ->check(CLI::Range(0, 1024));
  options->output.add_to(*app);
  options->catalogue.add_to(*app);
  app->footer(
      "Examples:\n  mash predict model.json a.png b.png\n  mash predict model.json --dataset mnist --store "
      "~/.cache/mash/store --json\n  mash predict model.json --dataset mnist --perturb rotation=10");
  return {app, [options]() -> Status {
            if (options->images.empty() == options->dataset.empty())
              return input_error("found {}, expected either images or --dataset",
                                 options->images.empty() ? "neither" : "both");
            if (!options->store.empty() && options->dataset.empty())
              return input_error("--store: found without --dataset, whose features it keeps");
            if (!options->perturbation.empty() && (options->dataset.empty() || !options->store.empty()))
              return input_error("--perturb: found {}, expected --dataset, without --store",
                                 options->dataset.empty() ? "no --dataset" : "--store");
            if (!options->perturbation.empty())
              if (const auto wanted = parse_perturbation(options->perturbation); !wanted.ok())
                return wanted.error().at("--perturb");
            if (!options->store.empty()) MASH_TRY(check_store_folder(options->store));
            MASH_ASSIGN(const Model model, read_model(options->model));
            MASH_ASSIGN(Catalogue catalogue, options->catalogue.open());
            if (!options->dataset.empty()) return predict_dataset(*options, model, catalogue);
            const auto predictor = Predictor::open(model, catalogue);
            if (!predictor.ok()) return predictor.error().at(options->model);
            return predict_images(*options, model, *predictor);
          }};
}

}  // namespace mash
