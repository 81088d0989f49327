// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/explain.hpp"

#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/data/picture_paths.hpp"

namespace mash {
namespace {

struct ExplainOptions {
  OutputOptions output;
  std::string model, html;
  std::vector<std::string> pictures;
  PluginPlaces plugins;
  ChangedHeuristics changed;
  int num_threads = 0;
};

Status show_explanation(const ExplainOptions& options) {
  if (!options.html.empty()) MASH_TRY(check_output_file("--html", options.html));
  const CommandWork work(options.output, options.num_threads);
  MASH_ASSIGN(const std::vector<std::string> pictures,
              picture_paths(options.pictures, work.context().remarks));
  MASH_ASSIGN(const ExplanationReport report,
              explain_pictures({options.model, options.plugins, options.changed}, pictures, work.context()));
  if (!options.html.empty()) {
    MASH_ASSIGN(const page::Piece page, explanation_page(report, MASH_VERSION));
    MASH_TRY(write_output(options.html, page.html.markup));
  }
  if (options.output.json)
    print_json(to_json(report));
  else
    fmt::print("{}", render_text(report));
  return Done{};
}

}  // namespace

Subcommand add_explain(CLI::App& program) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* app = program.add_subcommand(
      "explain", "Why a model gives pictures their class: votes, places, and what would change the answer");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")
      ->type_name("")
      ->required();
  app->add_option("PICTURES", options->pictures,
                  "Pictures, and folders of them, at most 100: of the size that the model was trained on, or "
                  "of any size where its data set had resize")
      ->type_name("")
      ->required();
  app->add_option("--html", options->html, "Write a page with the pictures and their places marked")
      ->type_name("FILE");
  add_threads_option(*app, options->num_threads);
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer(
      "Examples:\n"
      "  mash explain model.json cat.png\n"
      "  mash explain model.json pictures --html why.html\n"
      "The votes of all families add up to the scores. Places are found by covering the picture piece by\n"
      "piece and asking the model again. The lead is the difference of the two largest scores. A feature "
      "has\n"
      "the number that the README of its heuristic explains; mash heuristic show names its settings.");
  return {app, [options] { return show_explanation(*options); }};
}

}  // namespace mash
