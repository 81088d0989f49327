// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/predict.hpp"

#include <fmt/ranges.h>

#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/operations/json.hpp"
#include "framework/operations/picture_paths.hpp"

namespace mash {
namespace {

struct PredictOptions {
  OutputOptions output;
  std::string model;
  PluginPlaces plugins;
  std::vector<std::string> images;
  std::string dataset, store, perturbation;
  DatasetOptions dataset_options;
  int num_threads = 0;
};

std::string perturbation_names() {
  std::vector<std::string> names;
  for (const PerturbationInfo& info : perturbations())
    names.push_back(fmt::format("{} ({})", info.name, info.unit));
  return fmt::format("{}", fmt::join(names, "; "));
}

Status show_images(const PredictOptions& options, const WorkContext& work) {
  MASH_ASSIGN(const std::vector<std::string> pictures, picture_paths(options.images));
  MASH_ASSIGN(const auto predictions, predict_images({options.model, options.plugins}, pictures, work));
  if (options.output.json) {
    print_json(to_json(predictions));
    return Done{};
  }
  fmt::print("picture\tclass\tmargin\n");
  for (const ImagePrediction& prediction : predictions)
    fmt::print("{}\t{}\t{:.3f}\n", prediction.image, prediction.class_name, prediction.margin);
  return Done{};
}

Status show_dataset(const PredictOptions& options, const WorkContext& work) {
  MASH_ASSIGN(const Settings settings, options.dataset_options.read());
  const DatasetToPredict dataset{options.dataset, settings, options.dataset_options.seed, options.store,
                                 options.perturbation};
  MASH_ASSIGN(const DatasetPrediction prediction,
              predict_dataset({options.model, options.plugins}, dataset, work));
  if (options.output.json) {
    print_json(to_json(dataset, prediction));
    return Done{};
  }
  fmt::print(
      "{}: {} test examples, error {:.2f} %, {:.2f} s\n", prediction.dataset, prediction.classes.size(),
      100 * prediction.test_error,
      prediction.extract_seconds.value_or(0) + prediction.read_seconds.value_or(0) + prediction.seconds);
  return Done{};
}

Status predict(const PredictOptions& options) {
  const bool is_dataset = !options.dataset.empty();
  if (options.images.empty() == !is_dataset)
    return input_error("found {}, expected either images or --dataset",
                       options.images.empty() ? "neither" : "both");
  const CommandWork work(options.output, options.num_threads);
  return is_dataset ? show_dataset(options, work.context()) : show_images(options, work.context());
}

}  // namespace

Subcommand add_predict(CLI::App& program) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* app = program.add_subcommand("predict", "Classify images, or the test side of a data set");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")
      ->type_name("")
      ->required();
  app->add_option("IMAGES", options->images,
                  "Pictures, and folders of them: of the size that the model was trained on, or of any size "
                  "where its data set had resize")
      ->type_name("");
  CLI::Option* dataset =
      app->add_option("--dataset", options->dataset, "Classify the test side of this data set")
          ->type_name("DATASET");
  options->dataset_options.add_to(*app);
  CLI::Option* store =
      app->add_option("--store", options->store,
                      "Take the features from this feature store; what it lacks is computed first, for the "
                      "training side too")
          ->type_name("DIR");
  app->add_option(
         "--perturb", options->perturbation,
         fmt::format("Change the test images first, to see how well the model bears it; the amount's "
                     "direction is drawn with --seed. One of {}",
                     perturbation_names()))
      ->type_name("KIND=AMOUNT")
      ->excludes(store);
  for (const char* option : {"--set", "--seed", "--store", "--perturb"})
    app->get_option(option)->needs(dataset);
  add_threads_option(*app, options->num_threads);
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  app->footer(
      "Examples:\n  mash predict model.json a.png b.png\n  mash predict model.json pictures\n  mash predict "
      "model.json --dataset mnist --store "
      "~/.cache/mash/store --json\n  mash predict model.json --dataset mnist --perturb rotation=10");
  return {app, [options] { return predict(*options); }};
}

}  // namespace mash
