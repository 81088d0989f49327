// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/dry_run_text.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/keys.hpp"
#include "framework/operations/training/experiment_json.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

std::string with_sd(const Json& json, const char* key, double factor) {
  const std::string sd_key = std::string(key) + "_sd";
  if (!json.contains(sd_key)) return fmt::format("{:.2f}", json[key].get<double>() * factor);
  return fmt::format("{:.2f} ± {:.2f}", json[key].get<double>() * factor,
                     json[sd_key].get<double>() * factor);
}

// A line for each family with values that are NaN or infinite.
void print_faults(const Json& families, std::size_t num_examples) {
  for (const Json& family : families) {
    const auto count = family["faults"].get<std::uint64_t>();
    if (count == 0) continue;
    const double all = double(num_examples) * family["dim"].get<double>();
    // On demand only some are computed, and some more than once.
    const std::string share =
        family["lazy"].get<bool>() ? "" : fmt::format(" ({:.3g} %)", 100 * double(count) / all);
    fmt::print("{}: {} values{} are NaN or infinite; the first: {}\n", family["name"].get<std::string>(),
               count, share, family.value("first_fault", "not kept"));
  }
}

// Of a booster: its curve, and each family's share of its votes.
void print_rounds(const Json& json) {
  fmt::print("{:>8}  {:>16}  {:>16}  {:>12}  {:>9}\n", "round", "train loss log10", "test error %", "cost",
             "seconds");
  for (const Json& point : json["curve"])
    fmt::print("{:>8}  {:>16}  {:>16}  {:>12.3g}  {:>9.2f}\n", point["round"].get<std::uint32_t>(),
               with_sd(point, "train_loss_log10", 1), with_sd(point, "test_error", 100),
               point["cost"].get<double>(), point["seconds"].get<double>());
  fmt::print("\n{:<28} {:>7} {:>9} {:>8} {:>9}\n", "family", "dim", "offered", "chosen", "Σα");
  for (const Json& family : json["families"])
    fmt::print("{:<28} {:>7} {:>9.0f} {:>8.0f} {:>9.2f}\n", family["name"].get<std::string>(),
               family["dim"].get<std::uint32_t>(), family["offered"].get<double>(),
               family["chosen"].get<double>(), family["alpha_sum"].get<double>());
}

// Of a learner without rounds: its errors, and what it used of each family.
void print_classifier(const Json& json) {
  fmt::print("test error {} %, training error {} %; cost {:.3g}\n", with_sd(json, "test_error", 100),
             with_sd(json, "train_error", 100), json["cost"].get<double>());
  fmt::print("\n{:<28} {:>7} {:>9} {:>8}\n", "family", "dim", "looked at", "used");
  for (const Json& family : json["families"])
    fmt::print("{:<28} {:>7} {:>9.0f} {:>8.0f}\n", family["name"].get<std::string>(),
               family["dim"].get<std::uint32_t>(), family["offered"].get<double>(),
               family["chosen"].get<double>());
}

void print_result(const ExperimentResult& result) {
  const Json json = to_json(result);
  const Experiment& experiment = result.experiment;
  fmt::print("{}: {} on {}, {}{} of {}, {}\n\n", experiment.name, experiment.learner().name, result.dataset,
             experiment.has_booster() ? fmt::format("sampler {}, ", experiment.sampler.name) : "",
             counted(result.num_features, "feature"), counted(result.families.size(), "family", "families"),
             result.runs.size() == 1 ? fmt::format("seed {}", experiment.seed)
                                     : fmt::format("{} seeds", result.runs.size()));
  if (experiment.has_booster())
    print_rounds(json);
  else
    print_classifier(json);
  print_faults(json["families"], result.num_examples);
  fmt::print("\n{}; training {:.2f} s, extraction {:.2f} s, memory {:.0f} MiB; run {}\n",
             json["status"].get<std::string>(), json["train_seconds"].get<double>(),
             json["extract_seconds"].get<double>(), json["peak_memory_bytes"].get<double>() / (1 << 20),
             result.runs[0].run_id);
  for (const RunResult& run : result.runs)
    if (!run.tuning.setting.empty())
      fmt::print("{} {} was the best of {} for seed {}; tuning {:.2f} s\n", run.tuning.setting,
                 run.tuning.value, run.tuning.num_trainings, run.seed, run.tuning.seconds);
  for (const RunResult& run : result.runs)
    if (!run.model.empty()) fmt::print("model: {}\n", run.model.string());
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
         "A run that was interrupted continues where it was when the same command is given again.\n" +
         listing_of_parts("Boosters", "booster", parts) + listing_of_parts("Samplers", "sampler", parts) +
         listing_of_parts("Weak learners", "weak", parts) +
         listing_of_parts("Classifiers, each in the place of a booster with its parts", "classifier", parts);
}

}  // namespace

Subcommand add_run(CLI::App& program) {
  struct State {
    RunOptions options;
    std::string file, model;
    bool every_round = false, dry_run = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand(
      "run", "Train and evaluate what an experiment file describes; every run is recorded");
  add_experiment_argument(*app, state->file);
  app->add_flag("--every-round", state->every_round,
                "Record and, with --json, print the test error after every round, not at some rounds only");
  app->add_option("--model", state->model, "Write the model to this file")->type_name("FILE");
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
            if (!state->model.empty()) MASH_TRY(check_output_file("--model", state->model));
            if (state->every_round) MASH_TRY(check_every_test_error(experiment));
            if (state->dry_run) return print_forecast(experiment, settings, options.output, work.context());
            MASH_ASSIGN(Workspace space, open_workspace(experiment, settings, work.context()));
            const RunSettings run{.model = state->model, .every_test_error = state->every_round};
            MASH_ASSIGN(const ExperimentResult result,
                        run_experiment(experiment, run, space, work.context()));
            if (options.output.json)
              print_json(to_json(result));
            else
              print_result(result);
            if (result.stopped) return stopped_error();
            return Done{};
          }};
}

}  // namespace mash
