// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare.hpp"

#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/reports/comparison/json.hpp"
#include "framework/reports/comparison/words.hpp"

namespace mash {
namespace {

struct CompareOptions {
  OutputOptions output;
  std::vector<std::string> what;
  std::string database, html, dataset, store;
  PluginPlaces plugins;
  DatasetOptions dataset_options;
  int num_threads = 0;
  bool all = false;
  ChangedHeuristics changed;
};

Status show_comparison(const CompareOptions& options) {
  if (!options.html.empty()) MASH_TRY(check_output_file("--html", options.html));
  CompareSettings settings;
  settings.what = options.what;
  settings.database = options.database;
  settings.plugins = options.plugins;
  settings.changed = options.changed;
  MASH_ASSIGN(const Settings dataset_settings, options.dataset_options.read());
  settings.dataset = {options.dataset, dataset_settings, options.dataset_options.seed, options.store, ""};
  const CommandWork work(options.output, options.num_threads);
  MASH_ASSIGN(const CompareResult result, compare(settings, work.context()));
  if (!options.html.empty()) MASH_TRY(write_output(options.html, result.page.html.markup));
  if (options.output.json) {
    nlohmann::ordered_json json = to_json(result.comparison);
    json["html"] = options.html.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.html);
    print_json(json);
    return Done{};
  }
  fmt::print("{}", render_text(result.comparison, options.all));
  if (!options.html.empty() && !options.output.quiet) fmt::print("\nThe page: {}\n", options.html);
  return Done{};
}

}  // namespace

Subcommand add_compare(CLI::App& program) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* app = program.add_subcommand(
      "compare",
      "What differs between experiments, models or versions of a heuristic, and whether that is chance");
  app->add_option("WHAT", options->what,
                  "Two or more of: the number of a run that mash records list shows (3), which is compared "
                  "together with the other seeds of its experiment; run:3 for that run alone; trial:3 for a "
                  "trial; a model file; a version of a heuristic that was tried (hog@1.0.0)")
      ->type_name("")
      ->required();
  app->add_flag("--all", options->all, "Show all settings and all classes, not only those that differ most");
  app->add_option("--html", options->html, "Write a page with the curves too")->type_name("FILE");
  CLI::Option* dataset =
      app->add_option(
             "--dataset", options->dataset,
             "Models: classify the test side of this data set. Versions of a heuristic: only what was "
             "tried on it")
          ->type_name("DATASET");
  options->dataset_options.add_to(*app);
  app->add_option("--store", options->store,
                  "Take the features of models from this feature store; what it lacks is computed first")
      ->type_name("DIR");
  for (const char* option : {"--set", "--seed", "--store"}) app->get_option(option)->needs(dataset);
  add_database_option(*app, options->database);
  add_threads_option(*app, options->num_threads);
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer(
      "Examples:\n"
      "  mash compare 1 2\n"
      "  mash compare 1 2 5 --html compare.html\n"
      "  mash compare a.json b.json --dataset mnist\n"
      "  mash compare mine@1.0.0 mine@1.1.0\n"
      "Two classifiers with the same test examples are compared example by example and, where they were\n"
      "trained with the same seeds, seed by seed too; versions of a heuristic on the seeds and pictures\n"
      "of their offer tests (mash heuristic try). Where the data differ, nothing is tested. p-values of\n"
      "several pairs are corrected (Holm).");
  return {app, [options] { return show_comparison(*options); }};
}

}  // namespace mash
