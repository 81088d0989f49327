// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/shell_word.hpp"
#include "framework/cli/dry_run_text.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/run_summary.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/keys.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

std::string with_sd(const RunsFigure& figure, double factor) {
  if (!figure.sd) return fmt::format("{:.2f}", figure.mean * factor);
  return fmt::format("{:.2f} ± {:.2f}", figure.mean * factor, *figure.sd * factor);
}

void print_curve(const ExperimentResult& result) {
  const std::span<const RunResult> runs = result.runs;
  const std::string error = fmt::format("{} error %", result.judging_side);
  const std::size_t width = std::max<std::size_t>(16, error.size());
  fmt::print("{:>8}  {:>16}  {:>{}}  {:>12}  {:>9}\n", "round", "train loss log10", error, width, "cost",
             "seconds");
  for (const std::uint32_t round : rounds_of_all(runs)) {
    const auto figure = [&](auto member) {
      return figure_of(runs, [&](const RunResult& run) { return point_at(run, round)->*member; });
    };
    fmt::print("{:>8}  {:>16}  {:>{}}  {:>12.3g}  {:>9.2f}\n", round,
               with_sd(figure(&CurvePoint::train_loss_log10), 1),
               with_sd(figure(&CurvePoint::test_error), 100), width, figure(&CurvePoint::cost).mean,
               figure(&CurvePoint::seconds).mean);
  }
}

void print_family_use(const ExperimentResult& result) {
  fmt::print("\n{:<28} {:>7} {:>9} {:>8} {:>9}\n", "family", "dim", "offered", "chosen", "Σα");
  for (std::size_t k = 0; k < result.families.size(); ++k) {
    const auto mean = [&](auto member) {
      return figure_of(result.runs, [&](const RunResult& run) { return run.result.families[k].*member; })
          .mean;
    };
    fmt::print("{:<28} {:>7} {:>9.0f} {:>8.0f} {:>9.2f}\n", result.families[k].spec.name,
               result.families[k].dim, mean(&FamilyUse::offered), mean(&FamilyUse::chosen),
               mean(&FamilyUse::alpha_sum));
  }
}

// A line for each family with values that are NaN or infinite.
void print_faults(const ExperimentResult& result) {
  for (const FamilyInfo& family : result.families) {
    if (family.num_faults == 0) continue;
    const double all = double(result.num_examples) * double(family.dim);
    // On demand only some are computed, and some more than once.
    const std::string share =
        family.lazy ? "" : fmt::format(" ({:.3g} %)", 100 * double(family.num_faults) / all);
    fmt::print("{}: {} values{} are NaN or infinite; the first: {}\n", family.spec.name, family.num_faults,
               share, family.first_faults.empty() ? "not kept" : family.first_faults[0].message);
  }
}

// The errors of a learner without rounds, and its use of each family.
void print_classifier(const ExperimentResult& result) {
  const auto last = [&](double CurvePoint::*error) {
    return with_sd(
        figure_of(result.runs, [&](const RunResult& run) { return run.result.curve.back().*error; }), 100);
  };
  fmt::print("{} error {} %, training error {} %; cost {:.3g}\n", result.judging_side,
             last(&CurvePoint::test_error), last(&CurvePoint::train_error),
             figure_of(result.runs, [](const RunResult& run) { return run.result.meters.fe; }).mean);
  fmt::print("\n{:<28} {:>7} {:>9} {:>8}\n", "family", "dim", "looked at", "used");
  for (std::size_t k = 0; k < result.families.size(); ++k) {
    const auto mean = [&](std::uint64_t FamilyUse::*count) {
      return figure_of(result.runs, [&](const RunResult& run) { return run.result.families[k].*count; }).mean;
    };
    fmt::print("{:<28} {:>7} {:>9.0f} {:>8.0f}\n", result.families[k].spec.name, result.families[k].dim,
               mean(&FamilyUse::offered), mean(&FamilyUse::chosen));
  }
}

// places: as they were given, so that the commands find the run and its heuristics there.
void print_next_steps(const ExperimentResult& result, const WorkspaceSettings& places) {
  WorkspaceSettings of_records;
  of_records.database = places.database;
  const RunResult& first = result.runs[0];
  const bool has_mistakes = first.confusion.num_wrong() > 0;
  fmt::print("\nnext: {}mash report {}{} makes a page of it",
             has_mistakes ? fmt::format("mash mistakes {}{} names what it gets wrong; ", first.run_id,
                                        options_of(of_records))
                          : "",
             first.run_id, options_of(places));
  if (first.model.empty())
    fmt::print("; --model FILE beside the same command keeps the model\n");
  else if (std::ranges::any_of(result.families,
                               [](const FamilyInfo& family) { return family.spec.columns != nullptr; }))
    fmt::print("; the model in {} reads columns of a file, which other pictures do not have\n",
               first.model.string());
  else
    fmt::print("; mash predict {}{} classifies with it\n", shell_word(first.model.string()),
               options_of_plugins(places));
}

// "run 4", or "runs 4, 5, 6".
std::string numbered_runs(std::span<const RunResult> runs) {
  std::vector<std::int64_t> ids;
  for (const RunResult& run : runs) ids.push_back(run.run_id);
  return fmt::format("run{} {}", ids.size() == 1 ? "" : "s", fmt::join(ids, ", "));
}

// The runs that were finished before this command.
void print_finished(const ExperimentResult& result) {
  std::vector<std::int64_t> ids;
  for (const RunResult& run : result.runs)
    if (run.was_finished) ids.push_back(run.run_id);
  if (ids.empty()) return;
  fmt::print("finished before, and not recorded again: run{} {}; --again trains {} again\n",
             ids.size() == 1 ? "" : "s", fmt::join(ids, ", "), ids.size() == 1 ? "it" : "them");
}

void print_result(const ExperimentResult& result, const WorkspaceSettings& places) {
  const Experiment& experiment = result.experiment;
  fmt::print("{}: {} on {}, {}{} of {}, {}\n\n", experiment.name, experiment.learner().name, result.dataset,
             experiment.has_booster() ? fmt::format("sampler {}, ", experiment.sampler.name) : "",
             counted(result.num_features, "feature"), counted(result.families.size(), "family", "families"),
             result.runs.size() == 1 ? fmt::format("seed {}", experiment.seed)
                                     : fmt::format("{} seeds", result.runs.size()));
  if (experiment.has_booster()) {
    print_curve(result);
    print_family_use(result);
  } else {
    print_classifier(result);
  }
  if (result.runs.size() > 1) fmt::print("±: standard deviation over the seeds\n");
  print_faults(result);
  const auto mean = [&](const auto& figure) { return figure_of(result.runs, figure).mean; };
  fmt::print("\n{}; training {:.2f} s, extraction {:.2f} s, memory {:.0f} MiB; {}\n",
             to_string(result.runs.back().result.status),
             mean([](const RunResult& run) { return run.result.meters.seconds; }),
             mean([](const RunResult& run) { return run.extract_seconds; }),
             mean([](const RunResult& run) { return run.peak_memory_bytes; }) / (1 << 20),
             numbered_runs(result.runs));
  for (const RunResult& run : result.runs)
    if (!run.tuning.setting.empty())
      fmt::print("{} {} was the best of {} for seed {}; tuning {:.2f} s\n", run.tuning.setting,
                 run.tuning.value, run.tuning.num_trainings, run.seed, run.tuning.seconds);
  for (const RunResult& run : result.runs)
    if (!run.model.empty()) fmt::print("model: {}\n", run.model.string());
  print_finished(result);
  for (const LeftOut& one : result.left_out)
    fmt::print("trained without {}: {}\n", harmless(one.heuristic), harmless(one.reason));
  if (const std::string summary = run_summary(result); !summary.empty()) fmt::print("\n{}", summary);
  if (!result.stopped) print_next_steps(result, places);
}

Status print_forecast(const Experiment& experiment, const WorkspaceSettings& settings,
                      const OutputOptions& output, const WorkContext& work) {
  MASH_ASSIGN(const DryRun forecast, dry_run(experiment, settings, work));
  if (output.json)
    print_json(to_json(forecast));
  else
    print_text(forecast);
  return Done{};
}

// The parts of a section with their keys, for the help.
std::string listing_of_parts(std::string_view title, std::string_view section,
                             std::span<const ExperimentPart> parts) {
  std::string text = fmt::format("\n{}:\n", title);
  for (const ExperimentPart& part : parts) {
    if (part.section != section) continue;
    text += fmt::format("  {:<18} {}\n", part.name, part.summary);
    if (!part.keys.empty()) text += fmt::format("  {:<18} {{{}}}\n", "", keys_in_a_line(part.keys));
  }
  return text;
}

std::string run_footer() {
  const std::vector<ExperimentPart> parts = experiment_parts();
  return "Example:\n  mash run demo --set booster.rounds=500 --seed 2\n"
         "A run that was interrupted continues where it was when the same command is given again. One that\n"
         "is finished is trained again with --again only.\n" +
         listing_of_parts("Boosters", "booster", parts) + listing_of_parts("Samplers", "sampler", parts) +
         listing_of_parts("Weak learners", "weak", parts) +
         listing_of_parts("Classifiers, each in the place of a booster with its parts", "classifier", parts);
}

}  // namespace

Subcommand add_run(CLI::App& program) {
  struct State {
    RunOptions options;
    std::string file, model;
    bool every_round = false, dry_run = false, again = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand(
      "run", "Train and evaluate what an experiment file describes; every run is recorded");
  add_experiment_argument(*app, state->file);
  app->add_flag("--every-round", state->every_round,
                "Record and, with --json, print the test error after every round, not at some rounds only");
  app->add_option("--model", state->model, "Write the model to this file")->type_name("FILE");
  app->add_flag(
      "--again", state->again,
      "Train also what is finished: otherwise the records say its results, and rounds that a training "
      "of the same settings has done already are not done again");
  app->add_flag("--dry-run", state->dry_run,
                "Check everything, look at the data and say what the run would need: features, disk, memory, "
                "time. Trains and writes nothing");
  state->options.add_to(*app);
  app->footer(run_footer());
  return {app, [state]() -> Status {
            const RunOptions& options = state->options;
            MASH_ASSIGN(WorkspaceSettings settings, options.workspace());
            settings.takes_endless = true;
            const CommandWork work(options.output, options.num_threads);
            MASH_ASSIGN(Experiment experiment, read_experiment_to_train(state->file, options.overrides(),
                                                                        settings.heuristics, work.context()));
            if (options.seed) experiment.seed = *options.seed;
            if (!state->model.empty()) MASH_TRY(check_file_in_folder("--model", state->model));
            if (state->every_round) MASH_TRY(check_every_test_error(experiment));
            if (state->dry_run) return print_forecast(experiment, settings, options.output, work.context());
            MASH_ASSIGN(Workspace space, open_workspace(experiment, settings, work.context()));
            const RunSettings run{
                .model = state->model, .every_test_error = state->every_round, .again = state->again};
            MASH_ASSIGN(const ExperimentResult result,
                        run_experiment(experiment, run, space, work.context()));
            if (options.output.json)
              print_json(to_json(result));
            else
              print_result(result, settings);
            if (result.stopped) return stopped_error();
            return Done{};
          }};
}

}  // namespace mash
