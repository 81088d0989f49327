// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/experiment.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/reports/experiment_record.hpp"
#include "framework/reports/experiment_report.hpp"

namespace mash {

Subcommand add_report(CLI::App& program) {
  struct State {
    OutputOptions output;
    std::int64_t experiment_id = 0;
    std::string database, html = "report.html";
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand("report", "Write the report of an experiment as one HTML file");
  app->add_option("EXPERIMENT", state->experiment_id, "Its number, as mash run shows it")->required();
  app->add_option("--html", state->html, "The file to write")->type_name("FILE")->capture_default_str();
  app->add_option("--db", state->database, "Database of records [" + default_database().string() + "]")
      ->type_name("FILE");
  state->output.add_to(*app);
  app->footer("Example:\n  mash report 3 --html report.html");
  return {
      app, [state]() -> Status {
        MASH_TRY(check_output_file("--html", state->html));
        MASH_ASSIGN(Records records, open_records(state->database));
        MASH_ASSIGN(const ExperimentRecord record, read_experiment(records, state->experiment_id));
        MASH_ASSIGN(
            const Experiment experiment,
            parse_experiment(record.configuration, fmt::format("experiment {}", state->experiment_id), {}));
        const auto progress = state->output.progress();
        MASH_ASSIGN(const Dataset dataset, load_dataset(experiment.dataset.name, experiment.dataset.settings,
                                                        experiment.seed, *progress));
        MASH_TRY(write_html_report(records, state->experiment_id, dataset, state->html));
        if (state->output.json)
          print_json({{"experiment_id", state->experiment_id}, {"html", state->html}});
        else if (!state->output.quiet)
          fmt::print("{}\n", state->html);
        return Done{};
      }};
}

}  // namespace mash
