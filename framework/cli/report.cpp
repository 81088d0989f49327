// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/cli/heuristic_report_run.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/pool_report_run.hpp"
#include "framework/reports/experiment_report.hpp"
#include "framework/reports/heuristic_page.hpp"

namespace mash {
namespace {

struct ReportOptions {
  TrialOptions trial;  // its heuristic may be the number of an experiment
  std::string html = "report.html";
  bool recorded = false;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 19 &&
         std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

// Why the families of an experiment cannot be looked at one by one; nothing where they can.
std::optional<std::string> obstacle(const ExperimentRecord& record, const Experiment& experiment) {
  if (record.families.size() < 2) return "there is one family only";
  const Status status = check_subsets(experiment);
  return status.ok() ? std::nullopt : std::optional(status.error().message);
}

Status report_experiment(const ReportOptions& options, std::int64_t experiment_id) {
  const OutputOptions& output = options.trial.run.output;
  const auto progress = output.progress();
  std::optional<ExperimentRecord> record;
  {
    MASH_ASSIGN(const RecordsReader records, open_records(options.trial.run.database));
    MASH_ASSIGN(record, read_experiment(records, experiment_id));
  }
  MASH_ASSIGN(const Experiment experiment,
              parse_experiment(record->configuration, fmt::format("experiment {}", experiment_id), {}));
  MASH_ASSIGN(const Dataset dataset,
              load_dataset(experiment.dataset.name, experiment.dataset.settings, experiment.seed, *progress));
  MASH_TRY(check_data(*record, dataset));
  std::optional<PoolReport> pool;
  std::vector<HtmlSection> sections;
  const auto why_not = obstacle(*record, experiment);
  if (!options.recorded && why_not && !output.quiet)
    fmt::print(stderr, "without what each family contributes: {}\n", *why_not);
  if (!options.recorded && !why_not) {
    MASH_ASSIGN(pool, pool_report(*record, experiment, options.trial, *progress));
    MASH_ASSIGN(sections, pool_sections(*pool, dataset));
  }
  MASH_ASSIGN(const Html page, experiment_page(*record, dataset, sections));
  MASH_TRY(write_file_atomically(options.html, page.markup));
  if (output.json) {
    print_json({{"experiment_id", experiment_id},
                {"html", options.html},
                {"contribution", pool ? to_json(*pool) : nlohmann::ordered_json()}});
  } else {
    if (pool) fmt::print("{}\n", render_text(*pool));
    if (!output.quiet) fmt::print("{}\n", options.html);
  }
  return Done{};
}

// What would be ignored silently.
Status check_options(const ReportOptions& options, bool of_experiment) {
  const TrialOptions& trial = options.trial;
  if (!of_experiment && options.recorded)
    return input_error("--recorded: found a heuristic ({}), expected the number of an experiment",
                       trial.heuristic);
  if (!of_experiment) return Done{};
  const std::pair<std::string_view, bool> others[] = {{"--against", !trial.against.empty()},
                                                      {"--dataset", !trial.dataset.empty()},
                                                      {"--seed", trial.run.seed.has_value()},
                                                      {"--set", !trial.run.overrides.empty()}};
  for (const auto& [option, is_given] : others)
    if (is_given)
      return input_error("{}: experiment {} is as it was run; expected a heuristic beside this option",
                         option, trial.heuristic);
  return Done{};
}

Status report_heuristic(const ReportOptions& options) {
  const OutputOptions& output = options.trial.run.output;
  const auto progress = output.progress();
  MASH_ASSIGN(const auto trial, Trial::make(options.trial, *progress));
  MASH_ASSIGN(const HeuristicReport report, heuristic_report(*trial, *progress));
  MASH_ASSIGN(const Html page, render_html(report, trial->data->dataset()));
  MASH_TRY(write_file_atomically(options.html, page.markup));
  if (output.json) {
    nlohmann::ordered_json json = to_json(report);
    json["html"] = options.html;
    print_json(json);
  } else {
    fmt::print("{}", render_text(report));
    if (!output.quiet) fmt::print("\nThe page: {}\n", options.html);
  }
  return Done{};
}

}  // namespace

Subcommand add_report(CLI::App& program) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* app = program.add_subcommand(
      "report",
      "What a heuristic contributes, or what became of an experiment: text, JSON and one HTML file");
  app->add_option("WHAT", options->trial.heuristic,
                  "A heuristic (FILE.so, FILE.cpp or the id of one that is found), or the number of an "
                  "experiment, as mash run shows it")
      ->required();
  app->add_option("--html", options->html, "The file to write")->type_name("FILE")->capture_default_str();
  app->add_flag(
      "--recorded", options->recorded,
      "Of an experiment: what the records hold, without trainings to see what each family contributes");
  options->trial.add_to(*app);
  app->footer(
      "Examples:\n  mash report hog\n  mash report ./mine.so --against demo --html mine.html\n"
      "  mash report 3 --html experiment-3.html\n"
      "A heuristic is trained with and without, as by mash heuristic try; of an experiment every family is "
      "trained "
      "alone\nand left out. What was trained before is taken from the records: a second report is there at "
      "once.");
  return {app, [options]() -> Status {
            MASH_TRY(check_output_file("--html", options->html));
            const bool of_experiment = is_number(options->trial.heuristic);
            MASH_TRY(check_options(*options, of_experiment));
            if (of_experiment) return report_experiment(*options, std::stoll(options->trial.heuristic));
            return report_heuristic(*options);
          }};
}

}  // namespace mash
