// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/predict.hpp"

#include <fmt/ranges.h>

#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/data/picture_paths.hpp"
#include "framework/operations/prediction/csv_tables.hpp"
#include "framework/operations/prediction/predict_rows.hpp"

namespace mash {
namespace {

struct PredictOptions {
  OutputOptions output;
  std::string model;
  PluginPlaces plugins;
  ChangedHeuristics changed;
  std::vector<std::string> images;
  std::string dataset, store, perturbation;
  DatasetOptions dataset_options;
  std::optional<double> budget;
  bool stop_early = false, skip_broken = false, scores = false;
  std::string costs, csv;
  int num_threads = 0;

  ModelSource source() const { return {model, plugins, changed}; }
  bool is_budgeted() const { return budget || stop_early; }
  PredictionBudget within() const { return {budget.value_or(Purchases::kUnlimited), costs}; }
};

std::string perturbation_names() {
  std::vector<std::string> names;
  for (const PerturbationInfo& info : perturbations())
    names.push_back(fmt::format("{} ({})", info.name, info.unit));
  return fmt::format("{}", fmt::join(names, "; "));
}

// "spent 41.2 microseconds on average, at most 99.8; 120.4 of 500 hypotheses"
std::string in_words(const Spending& spending) {
  return fmt::format("spent {:.4g}{}{} on average, at most {:.4g}; {:.1f} of {} hypotheses", spending.mean,
                     spending.unit.empty() ? "" : " ", spending.unit, spending.largest,
                     spending.mean_evaluated, spending.num_hypotheses);
}

// The headers of the columns of scores, where they are asked for: "\tscore_0\tscore_1".
std::string score_headers(const PredictOptions& options, std::span<const std::string> classes) {
  std::string text;
  if (options.scores)
    for (const std::string& name : classes) text += "\tscore_" + name;
  return text;
}

// The same of one example's scores. With none the columns stay empty.
std::string score_cells(const PredictOptions& options, std::span<const double> scores,
                        std::size_t num_classes) {
  std::string text;
  if (!options.scores) return text;
  for (std::size_t l = 0; l < num_classes; ++l)
    text += scores.empty() ? "\t" : fmt::format("\t{:.4g}", scores[l]);
  return text;
}

Status write_csv(const PredictOptions& options, const DataTable& table) {
  return options.csv.empty() ? Status(Done{}) : write_output(options.csv, to_csv(table));
}

// The header of the column that says why a picture could not be classified.
const char* broken_column(const PredictOptions& options) { return options.skip_broken ? "\tbroken" : ""; }

Status show_paid(const PredictOptions& options, const PaidImages& paid, std::string_view what) {
  if (options.output.json) {
    print_json(to_json(paid, options.within()));
    return Done{};
  }
  fmt::print("{}\tclass\tspent\thypotheses{}\n", what, broken_column(options));
  for (const PaidImage& image : paid.images)
    if (image.broken)
      fmt::print("{}\t\t\t\t{}\n", image.image, *image.broken);
    else
      fmt::print("{}\t{}\t{:.4g}\t{}{}\n", image.image, image.class_name, image.spent, image.num_evaluated,
                 options.skip_broken ? "\t" : "");
  return Done{};
}

// The rows of tables, one a line: "new.csv  3  yes  0.412".
Status show_rows(const PredictOptions& options, const WorkContext& work) {
  if (options.skip_broken) return input_error("--skip-broken: has no effect on a model of a table");
  MASH_ASSIGN(const Settings settings, options.dataset_options.read());
  if (options.is_budgeted()) {
    MASH_ASSIGN(const PaidImages paid,
                predict_rows_within(options.source(), options.images, settings, options.within(), work));
    return show_paid(options, paid, "row");
  }
  MASH_ASSIGN(const auto predictions, predict_rows(options.source(), options.images, settings, work));
  MASH_ASSIGN(const std::vector<std::string> classes, class_names_of(options.model));
  MASH_TRY(write_csv(options, table_of(predictions, classes)));
  if (options.output.json) {
    print_json(to_json(predictions));
    return Done{};
  }
  fmt::print("table\trow\tclass\tmargin{}\n", score_headers(options, classes));
  for (const RowPrediction& prediction : predictions)
    fmt::print("{}\t{}\t{}\t{:.3f}{}\n", prediction.table, prediction.row, prediction.class_name,
               prediction.margin, score_cells(options, prediction.scores, classes.size()));
  return Done{};
}

Status show_images(const PredictOptions& options, const WorkContext& work) {
  MASH_ASSIGN(const bool are_rows, takes_rows(options.model));
  if (are_rows) return show_rows(options, work);
  if (!options.dataset_options.settings.empty())
    return input_error("--set: has no effect without --dataset on a model of images");
  PicturesToPredict pictures{{}, options.skip_broken, "; --skip-broken goes on without such pictures"};
  MASH_ASSIGN(pictures.paths, picture_paths(options.images, work.remarks));
  if (options.is_budgeted()) {
    MASH_ASSIGN(const PaidImages paid,
                predict_images_within(options.source(), pictures, options.within(), work));
    return show_paid(options, paid, "picture");
  }
  MASH_ASSIGN(const auto predictions, predict_images(options.source(), pictures, work));
  MASH_ASSIGN(const std::vector<std::string> classes, class_names_of(options.model));
  MASH_TRY(write_csv(options, table_of(predictions, classes, options.skip_broken)));
  if (options.output.json) {
    print_json(to_json(predictions));
    return Done{};
  }
  fmt::print("picture\tclass\tmargin{}{}\n", broken_column(options), score_headers(options, classes));
  for (const ImagePrediction& prediction : predictions) {
    const std::string scores = score_cells(options, prediction.scores, classes.size());
    if (prediction.broken)
      fmt::print("{}\t\t\t{}{}\n", prediction.image, *prediction.broken, scores);
    else
      fmt::print("{}\t{}\t{:.3f}{}{}\n", prediction.image, prediction.class_name, prediction.margin,
                 options.skip_broken ? "\t" : "", scores);
  }
  return Done{};
}

std::string in_words(const DatasetPrediction& prediction) {
  const std::string error = prediction.test_error
                                ? fmt::format("error {:.2f} %", 100 * *prediction.test_error)
                                : "no labels to count errors by";
  return fmt::format("{}: {} {} examples, {}, {:.2f} s", prediction.dataset, prediction.classes.size(),
                     prediction.judging_side, error, prediction.seconds.total());
}

Status show_dataset_within(const PredictOptions& options, const DatasetToPredict& dataset,
                           const WorkContext& work) {
  MASH_ASSIGN(const PaidDataset paid,
              predict_dataset_within(options.source(), dataset, options.within(), work));
  if (options.output.json)
    print_json(to_json(dataset, paid, options.within()));
  else
    fmt::print("{}\n{}\n", in_words(paid.prediction), in_words(paid.spending));
  return Done{};
}

// The examples of a data set, one a line, with their scores.
void print_scores(const PredictOptions& options, const DatasetPrediction& prediction) {
  const std::size_t num_classes = prediction.model_classes.size();
  fmt::print("example\tclass\tmargin{}\n", score_headers(options, prediction.model_classes));
  for (std::size_t n = 0; n < prediction.classes.size(); ++n) {
    const auto scores = std::span(prediction.scores).subspan(n * num_classes, num_classes);
    fmt::print("{}\t{}\t{:.3f}{}\n", prediction.names.empty() ? std::to_string(n) : prediction.names[n],
               prediction.classes[n], prediction.margins[n], score_cells(options, scores, num_classes));
  }
}

Status show_predicted_dataset(const PredictOptions& options, const WorkContext& work) {
  MASH_ASSIGN(const Settings settings, options.dataset_options.read());
  DatasetToPredict dataset{options.dataset, settings, options.dataset_options.seed, options.store,
                           options.perturbation};
  dataset.with_scores = options.scores || !options.csv.empty();
  if (options.is_budgeted()) return show_dataset_within(options, dataset, work);
  MASH_ASSIGN(const DatasetPrediction prediction, predict_dataset(options.source(), dataset, work));
  if (!options.csv.empty()) MASH_TRY(write_csv(options, table_of(prediction)));
  if (options.output.json) {
    print_json(to_json(dataset, prediction));
    return Done{};
  }
  if (options.scores) print_scores(options, prediction);
  fmt::print("{}\n", in_words(prediction));
  return Done{};
}

Status predict(const PredictOptions& options) {
  const bool is_dataset = !options.dataset.empty();
  if (options.images.empty() == !is_dataset)
    return input_error("found {}, expected either images or --dataset",
                       options.images.empty() ? "neither" : "both");
  const CommandWork work(options.output, options.num_threads);
  if (!options.costs.empty() && !options.is_budgeted())
    return input_error("--costs: has no effect without --budget or --stop-early");
  if (!options.csv.empty()) MASH_TRY(check_output_file("--csv", options.csv));
  return is_dataset ? show_predicted_dataset(options, work.context()) : show_images(options, work.context());
}

void add_budget_options(CLI::App& app, PredictOptions& options, CLI::Option* store) {
  app.add_option("--budget", options.budget,
                 "Spend at most so much on features of a picture, in the unit of the costs: what would cost "
                 "more is passed over, and nothing more is computed once the class is certain. Where the "
                 "budget pays for no feature, all pictures are given the same class")
      ->check(within(0.0, 1e300))
      ->type_name("COST")
      ->excludes(store);
  app.add_flag("--stop-early", options.stop_early,
               "Stop at each picture when its class is certain, at any cost until then")
      ->excludes(store);
  app.add_option(
         "--costs", options.costs,
         "What features cost, for --budget and --stop-early: the file that mash budget costs writes, "
         "or one of your own; without it the costs in the model; if it has none, each feature costs 1")
      ->type_name("FILE");
}

void add_score_options(CLI::App& app, PredictOptions& options) {
  CLI::Option* scores =
      app.add_flag("--scores", options.scores,
                   "Show the score of each class too, and of a data set each example; the class is the one "
                   "with the largest score");
  CLI::Option* csv =
      app.add_option("--csv", options.csv,
                     "Write all predictions to this file, with the score of each class: a row for each "
                     "picture, row of a table or test example")
          ->type_name("FILE");
  for (const char* budget : {"--budget", "--stop-early"}) {
    scores->excludes(app.get_option(budget));
    csv->excludes(app.get_option(budget));
  }
}

}  // namespace

Subcommand add_predict(CLI::App& program) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App* app =
      program.add_subcommand("predict", "Classify images, rows of tables, or the test side of a data set");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")
      ->type_name("")
      ->required();
  app->add_option("IMAGES", options->images,
                  "Pictures, and folders of them: of the size that the model was trained on, or of any size "
                  "where its data set had resize. For a model of a table: tables, with or without labels; "
                  "columns are found by their names, and --set says how the files are to be read")
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
  app->add_flag("--skip-broken", options->skip_broken,
                "Go on without pictures that cannot be read or have another size: they are listed with the "
                "reason. The exit code is 0 where at least one picture is classified [the first such picture "
                "is an error]")
      ->excludes(dataset);
  for (const char* option : {"--seed", "--store", "--perturb"}) app->get_option(option)->needs(dataset);
  add_budget_options(*app, *options, store);
  add_score_options(*app, *options);
  add_threads_option(*app, options->num_threads);
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer(
      "The margin, from 0 to 1, is how far the score of the class is ahead of the next one, as a part of "
      "all\n"
      "that is possible.\n"
      "Examples:\n  mash predict model.json a.png b.png\n  mash predict model.json pictures\n"
      "  mash predict model.json new.csv --set delimiter=;\n  mash predict "
      "model.json --dataset mnist --store "
      "~/.cache/mash/store --json\n  mash predict model.json --dataset mnist --perturb rotation=10\n"
      "  mash predict model.json pictures --csv predictions.csv\n"
      "  mash predict model.json --dataset mnist --budget 100 --costs costs.csv");
  return {app, [options] { return predict(*options); }};
}

}  // namespace mash
