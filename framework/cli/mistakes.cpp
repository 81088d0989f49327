// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/mistakes.hpp"

#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"

namespace mash {
namespace {

constexpr std::size_t kMistakesOfText = 20;

struct MistakesOptions {
  OutputOptions output;
  MistakesToFind wanted;
  DatasetOptions dataset;
  std::string database, store, csv, html, copy;
  int num_threads = 0;
};

Status write_files(const MistakesOptions& options, const FoundMistakes& found) {
  if (!options.csv.empty()) MASH_TRY(write_output(options.csv, to_csv(table_of(found.report))));
  if (!options.html.empty()) {
    MASH_ASSIGN(const page::Piece page, mistakes_page(found.report, found.dataset, MASH_VERSION));
    MASH_TRY(write_output(options.html, page.html.markup));
  }
  if (options.copy.empty()) return Done{};
  return copy_mistakes(found, options.copy);
}

void print_files(const MistakesOptions& options, const FoundMistakes& found) {
  if (!options.csv.empty()) fmt::print("\nThe table: {}\n", options.csv);
  if (!options.html.empty()) fmt::print("\nThe page: {}\n", options.html);
  if (!options.copy.empty())
    fmt::print("\nThe pictures: {} in {}\n", found.report.mistakes.size(), options.copy);
}

Status show_mistakes(MistakesOptions& options) {
  if (!options.csv.empty()) MASH_TRY(check_output_file("--csv", options.csv));
  if (!options.html.empty()) MASH_TRY(check_output_file("--html", options.html));
  if (!options.copy.empty()) MASH_TRY(check_copy_folder(options.copy));
  MASH_ASSIGN(options.wanted.dataset.settings, options.dataset.read());
  options.wanted.dataset.seed = options.dataset.seed;
  options.wanted.dataset.store = options.store;
  options.wanted.database = options.database;
  const CommandWork work(options.output, options.num_threads);
  MASH_ASSIGN(const FoundMistakes found, find_mistakes(options.wanted, work.context()));
  MASH_TRY(write_files(options, found));
  if (options.output.json)
    print_json(to_json(found.report));
  else
    fmt::print("{}", render_text(found.report, kMistakesOfText));
  if (!options.output.json && !options.output.quiet) print_files(options, found);
  return Done{};
}

}  // namespace

Subcommand add_mistakes(CLI::App& program) {
  const auto options = std::make_shared<MistakesOptions>();
  CLI::App* app = program.add_subcommand(
      "mistakes", "The test pictures that a classifier gets wrong, by name, with those that are like them");
  app->add_option("CLASSIFIER", options->wanted.classifier,
                  "The number of a recorded run, which mash run prints and mash records list shows, or a "
                  "model file")
      ->type_name("RUN|FILE")
      ->required();
  CLI::Option* dataset =
      app->add_option("--dataset", options->wanted.dataset.name,
                      "For a model: the data set whose test side it classifies. A run has its own")
          ->type_name("DATASET");
  options->dataset.add_to(*app);
  app->add_option("--store", options->store,
                  "For a model: take the features from this feature store; what it lacks is computed first")
      ->type_name("DIR");
  for (const char* option : {"--set", "--seed", "--store"}) app->get_option(option)->needs(dataset);
  app->add_option("--csv", options->csv, "Write all mistakes to this file, a row for each")
      ->type_name("FILE");
  app->add_option("--html", options->html,
                  "Write a page with the first mistakes, beside the pictures that are like them")
      ->type_name("FILE");
  app->add_option(
         "--copy", options->copy,
         "Copy the pictures into this folder, which must be empty or not there: TRUE_as_PREDICTED/...")
      ->type_name("DIR");
  add_database_option(*app, options->database);
  add_threads_option(*app, options->num_threads);
  options->output.add_to(*app);
  add_plugin_options(*app, options->wanted.plugins);
  add_changed_heuristics_option(*app, options->wanted.changed);
  app->footer(
      "Examples:\n"
      "  mash mistakes 3\n"
      "  mash mistakes 3 --html mistakes.html --copy mistakes\n"
      "  mash mistakes model.json --dataset mnist --csv mistakes.csv\n"
      "The surest mistakes come first. Beside each stand the test pictures that are classified rightly, of\n"
      "the true and of the predicted class, whose scores are nearest to its own. The margin is how far the\n"
      "score of the true class is ahead of the largest other one, as a part of all that is possible: it is\n"
      "negative for a mistake, and -1 for the surest.");
  return {app, [options] { return show_mistakes(*options); }};
}

}  // namespace mash
