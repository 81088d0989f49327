// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/run_experiment.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// A figure over the seeds: its mean, and with several seeds its standard deviation as key_sd.
template <class Figure>
void put(Json& json, const std::string& key, const std::vector<RunOutcome>& runs, const Figure& figure) {
  double sum = 0, squares = 0;
  for (const RunOutcome& run : runs) sum += double(figure(run));
  const double mean = sum / double(runs.size());
  for (const RunOutcome& run : runs) squares += (double(figure(run)) - mean) * (double(figure(run)) - mean);
  if (runs.size() == 1)
    json[key] = figure(runs[0]);
  else
    json[key] = mean;
  if (runs.size() > 1) json[key + "_sd"] = std::sqrt(squares / double(runs.size() - 1));
}

Json families_json(const ExperimentOutcome& outcome) {
  Json list = Json::array();
  for (std::size_t k = 0; k < outcome.families.size(); ++k) {
    const FamilyInfo& family = outcome.families[k];
    Json json{{"name", family.spec.name}, {"dim", family.dim}, {"distinct", family.num_distinct}};
    put(json, "offered", outcome.runs, [&](const RunOutcome& run) { return run.result.families[k].offered; });
    put(json, "evaluated", outcome.runs,
        [&](const RunOutcome& run) { return run.result.families[k].evaluated; });
    put(json, "chosen", outcome.runs, [&](const RunOutcome& run) { return run.result.families[k].chosen; });
    put(json, "alpha_sum", outcome.runs,
        [&](const RunOutcome& run) { return run.result.families[k].alpha_sum; });
    put(json, "loss_removed_log10", outcome.runs,
        [&](const RunOutcome& run) { return run.result.families[k].loss_removed; });
    json["microseconds_per_image"] = family.microseconds_per_image;
    json["faults"] = family.num_faults;
    json["lazy"] = family.lazy;
    list.push_back(std::move(json));
  }
  return list;
}

// The run's point at this round, or null.
const CurvePoint* point_at(const RunOutcome& run, std::uint32_t round) {
  const auto& curve = run.result.curve;
  const auto found =
      std::find_if(curve.begin(), curve.end(), [&](const CurvePoint& point) { return point.round == round; });
  return found == curve.end() ? nullptr : &*found;
}

// Only the rounds at which all seeds have a point.
Json curve_json(const std::vector<RunOutcome>& runs) {
  Json list = Json::array();
  for (const CurvePoint& first : runs[0].result.curve) {
    const auto in_all = [&](const RunOutcome& run) { return point_at(run, first.round) != nullptr; };
    if (!std::all_of(runs.begin(), runs.end(), in_all)) continue;
    const auto at = [&](auto member) {
      return [&, member](const RunOutcome& run) { return point_at(run, first.round)->*member; };
    };
    Json json{{"round", first.round}};
    put(json, "train_loss_log10", runs, at(&CurvePoint::train_loss_log10));
    put(json, "train_error", runs, at(&CurvePoint::train_error));
    put(json, "test_error", runs, at(&CurvePoint::test_error));
    put(json, "cost", runs, at(&CurvePoint::cost));
    put(json, "seconds", runs, at(&CurvePoint::seconds));
    list.push_back(std::move(json));
  }
  return list;
}

// For each seed the test error after every round and the seconds of training until then.
Json every_round_json(const std::vector<RunOutcome>& runs) {
  Json list = Json::array();
  for (const RunOutcome& run : runs) {
    Json json{{"seed", run.seed}};
    for (const RoundError& round : run.test_errors) {
      json["test_error"].push_back(round.test_error);
      json["seconds"].push_back(round.seconds);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json outcome_json(const ExperimentOutcome& outcome) {
  const auto& runs = outcome.runs;
  const auto last = [](auto member) {
    return [member](const RunOutcome& run) { return run.result.curve.back().*member; };
  };
  Json json{{"experiment_id", runs[0].experiment_id}};
  if (runs.size() > 1)
    for (const RunOutcome& run : runs) json["experiment_ids"].push_back(run.experiment_id);
  json["name"] = outcome.experiment.name;
  json["dataset"] = outcome.experiment.dataset.name;
  json["booster"] = outcome.experiment.booster.name;
  json["sampler"] = outcome.experiment.sampler.name;
  json["weak"] = outcome.experiment.weak.name;
  json["status"] = to_string(runs.back().result.status);
  put(json, "rounds", runs, [](const RunOutcome& run) { return run.result.num_rounds; });
  json["seed"] = outcome.experiment.seed;
  json["runs"] = runs.size();
  json["features"] = outcome.num_features;
  json["features_distinct"] = outcome.num_distinct;
  put(json, "train_loss_log10", runs, last(&CurvePoint::train_loss_log10));
  put(json, "train_error", runs, last(&CurvePoint::train_error));
  put(json, "test_error", runs, last(&CurvePoint::test_error));
  put(json, "cost", runs, [](const RunOutcome& run) { return run.result.meters.fe; });
  Json& meters = json["meters"];
  put(meters, "fe", runs, [](const RunOutcome& run) { return run.result.meters.fe; });
  put(meters, "ops", runs, [](const RunOutcome& run) { return run.result.meters.ops; });
  put(meters, "ue", runs, [](const RunOutcome& run) { return run.result.meters.ue; });
  put(meters, "once", runs, [](const RunOutcome& run) { return run.result.meters.once; });
  put(meters, "seconds", runs, [](const RunOutcome& run) { return run.result.meters.seconds; });
  for (const Phase& phase : kPhases)
    put(meters["phases"], std::string(phase.name), runs,
        [&](const RunOutcome& run) { return run.result.meters.phases.*phase.seconds; });
  put(json, "train_seconds", runs, [](const RunOutcome& run) { return run.result.meters.seconds; });
  put(json, "extract_seconds", runs, [](const RunOutcome& run) { return run.extract_seconds; });
  put(json, "peak_memory_bytes", runs, [](const RunOutcome& run) { return run.peak_memory_bytes; });
  if (!runs[0].tuning.setting.empty()) {
    Json& tuning = json["tuning"];
    tuning["key"] = runs[0].tuning.setting;
    for (const RunOutcome& run : runs) tuning["values"].push_back(run.tuning.value);
    put(tuning, "trainings", runs, [](const RunOutcome& run) { return run.tuning.num_trainings; });
    put(tuning, "cost", runs, [](const RunOutcome& run) { return run.tuning.cost; });
    put(tuning, "seconds", runs, [](const RunOutcome& run) { return run.tuning.seconds; });
  }
  json["families"] = families_json(outcome);
  json["curve"] = curve_json(runs);
  if (!runs[0].test_errors.empty()) json["every_round"] = every_round_json(runs);
  json["warnings"] = outcome.warnings;
  return json;
}

std::string with_sd(const Json& json, const char* key, double factor) {
  const std::string sd_key = std::string(key) + "_sd";
  if (!json.contains(sd_key)) return fmt::format("{:.2f}", json[key].get<double>() * factor);
  return fmt::format("{:.2f} ± {:.2f}", json[key].get<double>() * factor,
                     json[sd_key].get<double>() * factor);
}

void print_text(const ExperimentOutcome& outcome) {
  const Json json = outcome_json(outcome);
  fmt::print("{}: {} on {}, sampler {}, {} features of {} families, {}\n\n", outcome.experiment.name,
             outcome.experiment.booster.name, outcome.experiment.dataset.name,
             outcome.experiment.sampler.name, outcome.num_features, outcome.families.size(),
             outcome.runs.size() == 1 ? fmt::format("seed {}", outcome.experiment.seed)
                                      : fmt::format("{} seeds", outcome.runs.size()));
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
  fmt::print("\n{}; training {:.2f} s, extraction {:.2f} s, memory {:.0f} MiB; experiment {}\n",
             json["status"].get<std::string>(), json["train_seconds"].get<double>(),
             json["extract_seconds"].get<double>(), json["peak_memory_bytes"].get<double>() / (1 << 20),
             outcome.runs[0].experiment_id);
  for (const RunOutcome& run : outcome.runs)
    if (!run.tuning.setting.empty())
      fmt::print("{} {} was the best of {} for seed {}; tuning {:.2f} s\n", run.tuning.setting,
                 run.tuning.value, run.tuning.num_trainings, run.seed, run.tuning.seconds);
  for (const RunOutcome& run : outcome.runs)
    if (!run.model.empty()) fmt::print("model: {}\n", run.model.string());
}

// The rows of a table of built-in parts, for the help.
template <class Part>
std::string listing(std::string_view what, std::span<const Builtin<Part>> rows) {
  std::string text = fmt::format("\n{}:\n", what);
  for (const auto& row : rows) {
    text += fmt::format("  {:<18} {}\n", row.name, row.summary);
    if (!row.settings.empty()) text += fmt::format("  {:<18} {{{}}}\n", "", row.settings);
  }
  return text;
}

}  // namespace

Subcommand add_run(CLI::App& program) {
  struct State {
    RunOptions options;
    std::string file;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand("run", "Train and evaluate an experiment; everything is recorded");
  app->add_option("EXPERIMENT", state->file,
                  "The experiment file (YAML), or the name of one that comes with the program, such as demo")
      ->required();
  app->add_flag(
      "--every-round", state->options.every_test_error,
      "Evaluate after every round, not at the points of the curve alone; kept, and listed by --json");
  state->options.add_to(*app);
  app->footer(
      "Example:\n  mash run experiments/demo.yaml --set booster.rounds=500 --seed 2\n"
      "An interrupted run goes on where it was when it is started again.\n" +
      listing("Boosters", builtin_boosters()) + listing("Samplers", builtin_samplers()) +
      listing("Weak learners", builtin_weak_learners()));
  return {app, [state]() -> Status {
            MASH_ASSIGN(Experiment experiment, read_experiment(state->file, state->options.overrides));
            if (state->options.seed) experiment.seed = *state->options.seed;
            const auto progress = state->options.output.progress();
            MASH_ASSIGN(const ExperimentOutcome outcome,
                        run_experiment(experiment, state->options, *progress));
            if (state->options.output.json)
              print_json(outcome_json(outcome));
            else
              print_text(outcome);
            if (outcome.stopped)
              return Error{ErrorKind::kStopped, "stopped; run the same command again to go on"};
            return Done{};
          }};
}

}  // namespace mash
