// SPDX-License-Identifier: Apache-2.0
#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/bundle/bundle.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/data/export_features.hpp"
#include "framework/operations/data/export_model.hpp"
#include "framework/records/data_tables.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

struct ExportOptions {
  OutputOptions output;
  DataFormat format = DataFormat::kNpz;
  std::string path;  // --output
  // of features
  FeaturesToExport features;
  DatasetOptions dataset;
  PluginPlaces plugins;
  int num_threads = 0;
  // of a model
  std::string model;
  ChangedHeuristics changed;
  // of records
  std::string database;
  std::vector<std::string> tables;

  void add_to(CLI::App& command, const std::string& csv) {
    output.add_to(command);
    constexpr std::string_view kFormats[] = {"npz", "csv"};
    takes_one_of(command
                     .add_option_function<std::string>(
                         "--format", [this](const std::string& name) { format = *data_format_named(name); },
                         "What to write: arrays for NumPy, or text with commas")
                     ->default_str("npz"),
                 kFormats);
    command.add_option("--output,-o", path, "The file to write" + csv)->type_name("PATH")->required();
  }

  nlohmann::ordered_json document() const { return {{"output", path}, {"format", to_string(format)}}; }
};

void show_tables(const ExportOptions& options, const std::vector<DataTable>& tables) {
  if (options.output.json) {
    auto json = options.document();
    json.update(to_json(tables));
    print_json(json);
    return;
  }
  for (const DataTable& table : tables) fmt::print("{:<28} {:>10} rows\n", table.name, table.num_rows());
}

Status features(ExportOptions& options) {
  FeaturesToExport& wanted = options.features;
  if (wanted.dataset.empty() == wanted.pictures.empty())
    return input_error("found {}, expected either pictures or --dataset",
                       wanted.dataset.empty() ? "neither" : "both");
  MASH_ASSIGN(wanted.settings, options.dataset.read());
  wanted.seed = options.dataset.seed;
  wanted.called = "--families";
  wanted.skip_called = "--skip-broken";
  wanted.advice_for_broken = "; --skip-broken goes on without such pictures";
  const CommandWork work(options.output, options.num_threads);
  MASH_ASSIGN(const FeatureExport exported,
              export_features(wanted, options.plugins, options.format, options.path, work.context()));
  if (options.output.json) {
    auto json = options.document();
    json.update(to_json(exported));
    print_json(json);
    return Done{};
  }
  std::size_t num_features = 0;
  for (const ExportedFamily& family : exported.families) num_features += family.dim;
  const std::string examples = wanted.dataset.empty() ? counted(exported.num_train, "picture")
                                                      : fmt::format("{} training and {} test examples",
                                                                    exported.num_train, exported.num_test);
  fmt::print("{}: {}, {} of {}\n", options.path, examples, counted(num_features, "feature"),
             counted(exported.families.size(), "family", "families"));
  return Done{};
}

Status export_model_command(const ExportOptions& options) {
  const CommandWork work(options.output);
  MASH_ASSIGN(const auto tables, export_model({options.model, options.plugins, options.changed},
                                              options.format, options.path, work.context()));
  show_tables(options, tables);
  return Done{};
}

Status records(const ExportOptions& options) {
  MASH_TRY(check_data_files(options.format, options.path));
  MASH_ASSIGN(const RecordsReader reader, open_records(options.database));
  MASH_ASSIGN(const auto tables, read_data_tables(reader, options.tables));
  MASH_TRY(write_tables(tables, options.format, options.path));
  show_tables(options, tables);
  return Done{};
}

Subcommand add_export_features(CLI::App& parent) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* app = parent.add_subcommand("features", "The features of a data set or of pictures, as floats");
  app->add_option("PICTURES", options->features.pictures,
                  "Pictures of one size, or folders, whose pictures are taken")
      ->type_name("");
  CLI::Option* dataset =
      app->add_option("--dataset", options->features.dataset, "Both sides of this data set")
          ->type_name("DATASET");
  app->add_flag(
         "--skip-broken", options->features.skip_broken,
         "Go on without pictures that cannot be read or have another size than the first that can: they "
         "have no rows, and are listed with the reason. The exit code is 0 where at least one picture "
         "is exported [the first such picture is an error]")
      ->excludes(dataset);
  app->add_option(
         "--families", options->features.heuristics,
         "The heuristics with their settings, as an experiment file has them: all, or a list such as "
         "'[{id: hog, cell: 4}, lbp]'")
      ->type_name("LIST")
      ->capture_default_str();
  options->dataset.add_to(*app);
  options->add_to(*app, "; as csv it has a column for each feature");
  add_threads_option(*app, options->num_threads);
  add_plugin_options(*app, options->plugins);
  app->footer(
      "Examples:\n"
      "  mash export features --dataset mnist --families '[{id: hog, cell: 4}]' --output mnist.npz\n"
      "  mash export features a.png b.png pictures --families '[lbp]' --format csv --output lbp.csv");
  return {app, [options] { return features(*options); }};
}

Subcommand add_export_model(CLI::App& parent) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* app = parent.add_subcommand(
      "model", "A model as tables: classes, families, hypotheses, their cuts and votes");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")
      ->type_name("FILE")
      ->required();
  options->add_to(*app, "; as csv a folder, which gets a file for each table");
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer("Example:\n  mash export model model.json --output model.npz");
  return {app, [options] { return export_model_command(*options); }};
}

Subcommand add_export_records(CLI::App& parent) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* app = parent.add_subcommand(
      "records", "Runs, their rounds, families and curves, leaderboards: what docs/records.md describes");
  app->add_option("TABLES", options->tables, "Some of the tables and views [all]");
  add_database_option(*app, options->database);
  options->add_to(*app, "; as csv a folder, which gets a file for each table");
  app->footer(
      "Examples:\n  mash export records --output records.npz\n"
      "  mash export records experiments curve --format csv --output tables");
  return {app, [options] { return records(*options); }};
}

struct BundleOptions {
  OutputOptions output;
  BundleSettings bundle;
  std::optional<double> budget;
  bool stop_early = false;
  std::string costs;
};

void show_bundle(const Bundle& bundle) {
  fmt::print("{}: {}, {}, {}\n", bundle.folder.string(), counted(bundle.num_classes, "class", "classes"),
             counted(bundle.num_features, "feature"),
             counted(bundle.num_parts, bundle.is_sum ? "hypothesis" : "input",
                     bundle.is_sum ? "hypotheses" : "inputs"));
  for (const BundledHeuristic& heuristic : bundle.heuristics)
    fmt::print(
        "{} {}, licence {}: {}\n", heuristic.id, heuristic.version, heuristic.license,
        heuristic.form == HeuristicForm::kSource
            ? "compiled in"
            : "the plugin " + heuristic.file + " lies beside it and is loaded (--source compiles one in)");
  fmt::print("next: cmake -S {0} -B {0}/build && cmake --build {0}/build && {0}/build/{1}_check\n",
             shell_word(bundle.folder.string()), bundle.name);
}

Status bundle_command(BundleOptions& options) {
  const bool is_paid = options.budget || options.stop_early;
  if (!options.costs.empty() && !is_paid)
    return input_error("--costs: has no effect without --budget or --stop-early");
  if (is_paid)
    options.bundle.within = PredictionBudget{options.budget.value_or(Purchases::kUnlimited), options.costs};
  const CommandWork work(options.output, 1);
  MASH_ASSIGN(const Bundle bundle, export_bundle(options.bundle, work.context()));
  if (options.output.json)
    print_json(to_json(bundle));
  else
    show_bundle(bundle);
  return Done{};
}

void add_paid_options(CLI::App& app, BundleOptions& options) {
  app.add_option("--budget", options.budget,
                 "Spend at most so much on features of a picture, in the unit of the costs, as mash predict "
                 "--budget does")
      ->check(within(0.0, 1e300))
      ->type_name("COST");
  app.add_flag("--stop-early", options.stop_early,
               "Compute nothing more of a picture once its class is certain, at any cost until then");
  app.add_option("--costs", options.costs, "Costs of features [those in the model, else 1 each]")
      ->type_name("FILE");
}

Subcommand add_export_bundle(CLI::App& parent) {
  const auto options = std::make_shared<BundleOptions>();
  CLI::App* app = parent.add_subcommand(
      "bundle", "A model as C++ source that needs nothing else, and as a Python package");
  app->add_option("MODEL", options->bundle.model.model, "The model file that mash run --model wrote")
      ->type_name("FILE")
      ->required();
  app->add_option("--output,-o", options->bundle.folder, "The folder to write, which is new or empty")
      ->type_name("DIR")
      ->required();
  app->add_option("--name", options->bundle.name, "The name of the library and of its namespace")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_flag("--python", options->bundle.python,
                "With a Python package, of which the build makes a wheel");
  app->add_option("--source", options->bundle.sources,
                  "A C++ source of a heuristic, or a folder with one, that is compiled into the bundle in "
                  "place of its plugin (repeatable); heuristics that come with MASH always are")
      ->type_name("PLACE");
  add_paid_options(*app, *options);
  options->output.add_to(*app);
  add_plugin_options(*app, options->bundle.model.plugins);
  add_changed_heuristics_option(*app, options->bundle.model.changed);
  app->footer(
      "Examples:\n"
      "  mash export bundle model.json --output digits --name digits\n"
      "  mash export bundle model.json -o digits --python --source mine.cpp");
  return {app, [options] { return bundle_command(*options); }};
}

}  // namespace

std::vector<Subcommand> add_export(CLI::App& program) {
  CLI::App* parent = program.add_subcommand(
      "export", "Write features, a model or the records as NumPy arrays or CSV, or a model as C++");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash export features --dataset mnist --output mnist.npz");
  return {add_export_features(*parent), add_export_model(*parent), add_export_bundle(*parent),
          add_export_records(*parent)};
}

}  // namespace mash
