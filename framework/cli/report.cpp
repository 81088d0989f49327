// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/base/number.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/trial_options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/reporting/heuristic.hpp"
#include "framework/operations/reporting/run.hpp"
#include "framework/records/kept_runs.hpp"

namespace mash {
namespace {

struct ReportOptions {
  TrialOptions trial;  // its heuristic may be the number of a run
  std::optional<std::uint32_t> rounds, seeds, orders;
  std::optional<double> seconds;
  std::string html = "report.html";
  std::string format = "text";  // of what is printed; or kMarkdown
  bool recorded = false;

  nlohmann::ordered_json html_json() const {
    return html.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(html);
  }
};

constexpr const char* kMarkdown = "md";

Status show_run(const ReportOptions& options, std::int64_t run_id) {
  const TrialOptions& trial = options.trial;
  const OutputOptions& output = trial.run.output;
  const CommandWork work(output, trial.run.num_threads);
  MASH_ASSIGN(const WorkspaceSettings workspace, trial.run.workspace());
  MASH_ASSIGN(const RunReportResult result,
              report_run({run_id, options.rounds.value_or(100), options.seeds.value_or(5), options.orders,
                          options.recorded, workspace, options.seconds.value_or(95)},
                         work.context()));
  if (!options.html.empty()) MASH_TRY(write_output(options.html, result.page.html.markup));
  if (output.json) {
    print_json({{"experiment_id", run_id},
                {"html", options.html_json()},
                {"contribution", result.pool ? to_json(*result.pool) : nlohmann::ordered_json()}});
  } else if (options.format == kMarkdown) {
    fmt::print("{}", result.page.markdown);
  } else {
    if (result.pool) fmt::print("{}\n", render_text(*result.pool));
    if (!output.quiet) fmt::print("The page: {}\n", options.html);
  }
  return Done{};
}

// Refuses options that would be ignored silently.
Status check_report_options(const ReportOptions& options, bool of_run, const CLI::App& app) {
  const TrialOptions& trial = options.trial;
  const std::pair<std::string_view, bool> of_runs[] = {{"--recorded", options.recorded},
                                                       {"--rounds", options.rounds.has_value()},
                                                       {"--orders", options.orders.has_value()}};
  for (const auto& [option, is_given] : of_runs)
    if (!of_run && is_given)
      return input_error("{}: found a heuristic ({}), expected the number of a run", option, trial.heuristic);
  if (!of_run) return Done{};
  // --store and --threads: of the command that a report shows, to which --recorded may be added.
  constexpr std::string_view kTaken[] = {"WHAT",      "--recorded", "--html",  "--db",    "--store",
                                         "--threads", "--json",     "--quiet", "--format"};
  if (options.recorded) MASH_TRY(refuse_other_options(app, "--recorded", kTaken));
  const std::pair<std::string_view, bool> others[] = {{"--against", !trial.against.empty()},
                                                      {"--dataset", !trial.dataset.empty()},
                                                      {"--anyway", trial.anyway},
                                                      {"--setting", !trial.own.empty()},
                                                      {"--seed", trial.run.seed.has_value()},
                                                      {"--set", !trial.run.settings.empty()}};
  for (const auto& [option, is_given] : others)
    if (is_given)
      return input_error("{}: run {} is as it was recorded; expected a heuristic beside this option", option,
                         trial.heuristic);
  return Done{};
}

// The other things that go by this name, beside a heuristic; "" where nothing is found.
std::string other_meaning(const std::string& name, const std::filesystem::path& database) {
  const std::filesystem::path path(name);
  const std::string experiment = path.stem().string();
  std::int64_t last_run = 0;
  if (const auto records = open_records(database); records.ok())
    if (const auto runs = list_runs(*records, {}); runs.ok())
      for (const KeptRun& run : *runs)
        if (run.name == experiment) last_run = run.id;
  if (last_run > 0)
    return fmt::format("'{}' is an experiment, and mash report {}{} is about its last run", experiment,
                       last_run, database.empty() ? "" : " --db " + shell_word(database.string()));
  std::error_code code;
  if (std::filesystem::exists(path.extension() == ".yaml" ? name : name + ".yaml", code))
    return fmt::format("'{}' is an experiment without a recorded run: mash run makes one and says its number",
                       experiment);
  return std::filesystem::is_directory(path, code)
             ? fmt::format("the folder {} has no source of a heuristic", name)
             : "";
}

// An error in the name of a heuristic says too what the name may be instead.
Error with_other_meaning(const Error& error, const ReportOptions& options) {
  if (error.message.find("unknown heuristic '") == std::string::npos) return error;
  const auto workspace = options.trial.run.workspace();
  if (!workspace.ok()) return error;
  const std::string other = other_meaning(options.trial.heuristic, workspace->database);
  return other.empty() ? error : Error{error.kind, fmt::format("{}; {}", error.message, other)};
}

Status show_heuristic(const ReportOptions& options) {
  const OutputOptions& output = options.trial.run.output;
  const CommandWork work(output, options.trial.run.num_threads);
  MASH_ASSIGN(const TrySettings tried, options.trial.settings());
  OfferTrySettings settings{tried};
  settings.seeds = options.seeds.value_or(kUsualSeeds);
  settings.seconds = options.seconds.value_or(60);
  const auto reported = output.result_of(report_heuristic(
      settings, work.context(), [&](const auto& report) { options.trial.show_failed(report); }));
  if (!reported.ok()) return with_other_meaning(reported.error(), options);
  const HeuristicReportResult& result = *reported;
  if (!options.html.empty()) MASH_TRY(write_output(options.html, result.page.html.markup));
  if (output.json) {
    nlohmann::ordered_json json = to_json(result.report);
    json["html"] = options.html_json();
    print_json(json);
  } else if (options.format == kMarkdown) {
    fmt::print("{}", result.page.markdown);
  } else {
    fmt::print("{}", render_text(result.report));
    if (!output.quiet) fmt::print("\nThe page: {}\n", options.html);
  }
  return Done{};
}

Status show(ReportOptions& options, const CLI::App& app) {
  // A page beside JSON is written only where it is asked for.
  if (options.trial.run.output.json && app.count("--html") == 0) options.html.clear();
  if (!options.html.empty()) MASH_TRY(check_output_file("--html", options.html));
  if (options.trial.run.output.json && app.count("--format") > 0)
    return input_error("--json: found --format too, which has no effect beside it");
  const auto run_id = whole_number_in(options.trial.heuristic);
  MASH_TRY(check_report_options(options, run_id.has_value(), app));
  return run_id ? show_run(options, *run_id) : show_heuristic(options);
}

}  // namespace

Subcommand add_report(CLI::App& program) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* app = program.add_subcommand(
      "report",
      "What a heuristic contributes, or what became of a run of an experiment: text, JSON and one HTML file");
  app->add_option(
         "WHAT", options->trial.heuristic,
         "A heuristic: the folder of a project (DIR) or a C++ source (FILE.cpp), which are built, a plugin "
         "(FILE.so), or an id; or the number of a recorded run, which mash run prints and mash records list "
         "shows")
      ->type_name("DIR|FILE|ID|RUN")
      ->required();
  app->add_option("--html", options->html, "The file to write; beside --json only where it is given")
      ->type_name("FILE")
      ->capture_default_str();
  constexpr std::string_view kFormats[] = {"text", kMarkdown};
  takes_one_of(
      app->add_option(
             "--format", options->format,
             "What is printed: text, or md for all of the page as Markdown, with the numbers of its plots as "
             "tables")
          ->capture_default_str(),
      kFormats);
  app->add_flag("--recorded", options->recorded,
                "For a run: show only what was recorded; do not train to find what each family of features "
                "contributes");
  options->trial.add_to(*app);
  app->add_option("--seconds", options->seconds,
                  "Stop offer tests after S seconds, but not before their first 4 seeds. The same command, "
                  "given again, continues. For a heuristic [60]; for all families of a run together [95]")
      ->type_name("S")
      ->check(within(1, 1'000'000));
  app->add_option("--seeds", options->seeds,
                  "For a heuristic: use at most N seeds in its offer test [64]; for a run: how many seeds "
                  "each set of families is trained with [5]")
      ->type_name("N")
      ->check(within(1, 1000));
  app->add_option("--rounds", options->rounds, "For a run: rounds of each training [100]")
      ->type_name("N")
      ->check(within(1, 10'000'000));
  app->add_option("--orders", options->orders,
                  "For a run of more than seven families: in how many orders they come for their credits, "
                  "drawn in pairs, so one more where N is odd [8 to 48, until these are known]; of up to "
                  "seven all orders count")
      ->type_name("N")
      ->check(within(8, 100'000));
  app->footer(
      "Examples:\n"
      "  mash report hog\n"
      "  mash report ./mine.so --against demo --html mine.html\n"
      "  mash report hog --setting cell=7\n"
      "  mash report 3 --html run-3.html\n"
      "  mash report 3 --seeds 10 --orders 60\n"
      "  mash report hog --format md > hog.md\n"
      "For a heuristic, the offer test of mash heuristic try and where its gain comes from; for a run,\n"
      "the offer test of each family of features beside the others, and trainings with each alone and\n"
      "without it. They are kept: a second report trains only what undecided offer tests still lack.");
  return {app, [options, app] { return show(*options, *app); }};
}

}  // namespace mash
