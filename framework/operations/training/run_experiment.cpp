// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/run_experiment.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/probe.hpp"
#include "framework/base/file.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/records/run_record.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostConfusions = 1000;  // in a document

// The runs of one experiment, seed after seed.
class SeedRuns {
 public:
  SeedRuns(const Experiment& experiment, const RunSettings& settings, Workspace& space,
           const WorkContext& work)
      : experiment_(experiment), settings_(settings), space_(space), work_(work), writer_{space.records} {}

  Result<RunResult> run(std::uint64_t seed) {
    MASH_ASSIGN(const auto finished, find_finished(key_of(experiment_, seed)));
    if (!finished) return train(seed, nullptr);
    MASH_ASSIGN(RunResult recorded, recorded_run(*finished));
    const bool lacks_errors = settings_.every_test_error && recorded.test_errors.empty();
    if (settings_.model.empty() && !lacks_errors) {
      work_.remarks.tell(fmt::format("seed {}: is taken from the records, run {}", seed, *finished));
      return recorded;
    }
    work_.remarks.tell(fmt::format("seed {}: is run {} of the records, which do not have its {}", seed,
                                   *finished, settings_.model.empty() ? "errors after each round" : "model"));
    return train(seed, &recorded);
  }

  // Removes what was kept for taking the experiment up again; REQUIRES: all seeds are done.
  void remove_kept_files() const {
    std::error_code code;
    for (const fs::path& file : kept_files_) fs::remove(file, code);
  }

 private:
  std::string key_of(const Experiment& experiment, std::uint64_t seed) const {
    return run_key(experiment, seed, *space_.dataset, identities(space_.features));
  }

  // Faults of families on demand before an interruption are not known after it: a strict run begins again.
  bool forgets() const { return space_.strict && space_.features.any_lazy(); }

  // Whether there are several seeds, or several values of a setting to try: what is done is kept until all
  // is.
  bool has_several_trainings() const { return experiment_.runs > 1 || !tuning_of(experiment_).key.empty(); }

  // A file of this run among the checkpoints.
  fs::path kept_path(const std::string& key, const char* extension) {
    return kept_files_.emplace_back(space_.store / "checkpoints" / (key.substr(0, 32) + extension));
  }

  fs::path model_path(std::uint64_t seed) const {
    fs::path path = settings_.model;
    if (experiment_.runs == 1) return path;
    const std::string extension = path.extension().string();
    return path.replace_extension(fmt::format(".{}{}", seed, extension));
  }

  TrainingJob job_of(const Experiment& decided, std::uint64_t seed) {
    TrainingJob job{.experiment = experiment_,
                    .decided = decided,
                    .dataset = *space_.dataset,
                    .features = space_.features,
                    .seed = seed,
                    .key = key_of(experiment_, seed)};
    const fs::path checkpoint = kept_path(key_of(decided, seed), ".ckpt");
    if (!forgets()) job.checkpoint = checkpoint;
    if (!forgets() && !settings_.again && keeps_prefix(experiment_)) {
      Experiment any_rounds = experiment_;
      any_rounds.booster.settings.erase("rounds");
      job.rounds_key = key_of(any_rounds, seed);
      job.rounds_file = space_.store / kRoundsFolder / (job.rounds_key.substr(0, 32) + ".rounds");
    }
    job.keep_finished = has_several_trainings();
    return job;
  }

  // The finished run whose result this one would have.
  Result<std::optional<std::int64_t>> find_finished(const std::string& key) const {
    if (settings_.again || forgets()) return std::optional<std::int64_t>();
    if (settings_.of_any_name) return space_.records.find_finished(key);
    return space_.records.find_finished_run(key, experiment_.name);
  }

  // A run that was done before: all of it that the records have, which is all but the model.
  Result<RunResult> recorded_run(std::int64_t run_id) {
    MASH_ASSIGN(const RunRecord record, read_run(space_.records, run_id));
    RunResult run;
    run.run_id = record.id;
    run.seed = record.seed;
    run.was_finished = true;
    run.tuning = record.tuning;
    run.extract_seconds = space_.features.extract_seconds();
    run.peak_memory_bytes = std::uint64_t(record.peak_memory_bytes.value_or(0));
    run.result.status = training_status_named(record.status).value_or(TrainingStatus::kComplete);
    run.result.curve = record.curve;
    run.result.num_rounds = std::uint32_t(record.num_rounds.value_or(0));
    run.result.meters = record.meters;
    for (const FamilyInfo& family : space_.features.families())
      run.result.families.push_back(recorded_use(record, family.spec.name));
    run.confusion = Confusion(space_.dataset->num_classes());
    for (const RunRecord::Prediction& prediction : record.predictions)
      run.confusion.add(prediction.label, prediction.predicted);
    if (settings_.every_test_error) {
      MASH_ASSIGN(run.test_errors, read_test_errors(space_.records, run_id));
    }
    return run;
  }

  static FamilyUse recorded_use(const RunRecord& record, const std::string& name) {
    const auto family = std::ranges::find(record.families, name, &RunRecord::Family::name);
    if (family == record.families.end()) return {};
    return {std::uint64_t(family->offered), std::uint64_t(family->evaluated), std::uint64_t(family->chosen),
            family->alpha_sum, family->loss_removed};
  }

  // Trains with every value of the sampler's tuned setting, and gives the experiment with the value that ends
  // in the smallest training loss (the first among equals); the experiment as it is where nothing is tuned.
  Result<Experiment> tune(std::uint64_t seed, TuningRecord& record) {
    Experiment best = experiment_;
    const Tuning tuning = tuning_of(experiment_);
    if (tuning.key.empty()) return best;
    double best_loss = std::numeric_limits<double>::infinity();
    for (const std::string& value : tuning.values(space_.features)) {
      Experiment tried = experiment_;
      tried.sampler.settings.add(std::string(tuning.key), value, tried.sampler.where);
      MASH_ASSIGN(const TrainedRun run, train_run(job_of(tried, seed), writer_, work_));
      if (run.result.status == TrainingStatus::kStopped)
        return Error{ErrorKind::kStopped, "stopped while tuning; run the same command again to go on"};
      ++record.num_trainings;
      record.cost += run.result.meters.fe;
      record.seconds += run.result.meters.seconds;
      if (run.result.curve.back().train_loss_log10 >= best_loss) continue;
      best_loss = run.result.curve.back().train_loss_log10;
      record.value = value;
      best = std::move(tried);
    }
    record.setting = tuning.key;
    return best;
  }

  // The row of a seed, where this experiment has done it before it was interrupted and recorded it in this
  // database. done: the file with the number of the row.
  Result<std::optional<std::int64_t>> done_before(const std::string& key, const fs::path& done) {
    const auto note = read_file(done);
    MASH_ASSIGN(auto id, space_.records.find_finished(key));
    if (id && !(note.ok() && *note == std::to_string(*id))) id.reset();
    return id;
  }

  // The experiment with the value of a tuned setting, which `run` gets.
  Result<Experiment> decide(std::uint64_t seed, const RunResult* finished, RunResult& run) {
    if (!finished) return tune(seed, run.tuning);
    run.tuning = finished->tuning;
    Experiment decided = experiment_;
    if (!tuning_of(experiment_).key.empty())
      decided.sampler.settings.add(run.tuning.setting, run.tuning.value, decided.sampler.where);
    return decided;
  }

  // finished: the run in the records that this one is, or null.
  Result<RunResult> train(std::uint64_t seed, const RunResult* finished) {
    RunResult run;
    run.seed = seed;
    run.was_finished = finished != nullptr;
    run.extract_seconds = space_.features.extract_seconds();
    const CpuWatch cpu(CpuWatch::Whose::kProcess);
    MASH_ASSIGN(const Experiment decided, decide(seed, finished, run));
    TrainingJob job = job_of(decided, seed);
    const fs::path done = kept_path(job.key, ".done");
    std::optional<std::int64_t> recorded;
    if (finished) {
      recorded = finished->run_id;
    } else {
      MASH_ASSIGN(recorded, done_before(job.key, done));
    }
    job.recording = recorded ? Recording::kNever : Recording::kRoundByRound;
    job.every_test_error = settings_.every_test_error;
    job.strict = space_.strict;
    job.cpu = cpu;
    job.tuning = run.tuning;
    MASH_ASSIGN(TrainedRun trained, train_run(job, writer_, work_));
    run.run_id = recorded ? *recorded : trained.run_id;
    run.tuning = std::move(trained.tuning);
    run.result = std::move(trained.result);
    run.test_errors = std::move(trained.test_errors);
    run.peak_memory_bytes = trained.peak_memory_bytes;
    if (run.result.status == TrainingStatus::kStopped) return run;
    run.confusion =
        confusion_of(run.result.test_scores, space_.dataset->test.labels, space_.dataset->num_classes());
    MASH_TRY(keep(run));
    if (experiment_.runs > 1 && !recorded) MASH_TRY(write_file_atomically(done, std::to_string(run.run_id)));
    return run;
  }

  // The errors of every round go into the records, the model into its file.
  Status keep(RunResult& run) {
    if (!run.test_errors.empty()) MASH_TRY(put_test_errors(space_.records, run.run_id, run.test_errors));
    if (settings_.model.empty()) return Done{};
    run.model = model_path(run.seed);
    Model model = run.result.model;
    add_training_facts(space_.dataset->train, space_.catalogue, model);
    return write_output(run.model, serialise(model));
  }

  const Experiment& experiment_;
  const RunSettings& settings_;
  Workspace& space_;
  const WorkContext& work_;
  RecordWriter writer_;
  std::vector<fs::path> kept_files_;
};

// A figure of the runs: of several its mean, and its standard deviation as key_sd.
template <class Figure>
void put(Json& json, const std::string& key, const std::vector<RunResult>& runs, const Figure& figure) {
  if (runs.size() == 1) {
    json[key] = figure(runs[0]);
    return;
  }
  const RunsFigure of_runs = figure_of(runs, figure);
  json[key] = of_runs.mean;
  json[key + "_sd"] = *of_runs.sd;
}

Json families_json(const ExperimentResult& result) {
  Json list = Json::array();
  for (std::size_t k = 0; k < result.families.size(); ++k) {
    const FamilyInfo& family = result.families[k];
    Json json{{"name", family.spec.name}, {"dim", family.dim}, {"distinct", family.num_distinct}};
    put(json, "offered", result.runs, [&](const RunResult& run) { return run.result.families[k].offered; });
    put(json, "evaluated", result.runs,
        [&](const RunResult& run) { return run.result.families[k].evaluated; });
    put(json, "chosen", result.runs, [&](const RunResult& run) { return run.result.families[k].chosen; });
    put(json, "alpha_sum", result.runs,
        [&](const RunResult& run) { return run.result.families[k].alpha_sum; });
    put(json, "loss_removed_log10", result.runs,
        [&](const RunResult& run) { return run.result.families[k].loss_removed; });
    json["microseconds_per_image"] = family.microseconds_per_image;
    json["faults"] = family.num_faults;
    if (!family.first_faults.empty()) json["first_fault"] = family.first_faults[0].message;
    json["lazy"] = family.lazy;
    list.push_back(std::move(json));
  }
  return list;
}

// Only the rounds at which all runs have a point.
Json curve_json(const std::vector<RunResult>& runs) {
  Json list = Json::array();
  for (const std::uint32_t round : rounds_of_all(runs)) {
    const auto at = [&](auto member) {
      return [&, member](const RunResult& run) { return point_at(run, round)->*member; };
    };
    Json json{{"round", round}};
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
Json every_round_json(const std::vector<RunResult>& runs) {
  Json list = Json::array();
  for (const RunResult& run : runs) {
    Json json{{"seed", run.seed}};
    for (const RoundError& round : run.test_errors) {
      json["test_error"].push_back(round.test_error);
      json["seconds"].push_back(round.seconds);
    }
    list.push_back(std::move(json));
  }
  return list;
}

// The counts and times of all runs.
Json meters_json(const std::vector<RunResult>& runs) {
  Json meters;
  put(meters, "fe", runs, [](const RunResult& run) { return run.result.meters.fe; });
  put(meters, "ops", runs, [](const RunResult& run) { return run.result.meters.ops; });
  put(meters, "ue", runs, [](const RunResult& run) { return run.result.meters.ue; });
  put(meters, "once", runs, [](const RunResult& run) { return run.result.meters.once; });
  put(meters, "seconds", runs, [](const RunResult& run) { return run.result.meters.seconds; });
  for (const Phase& phase : kPhases)
    put(meters["phases"], std::string(phase.name), runs,
        [&](const RunResult& run) { return run.result.meters.phases.*phase.seconds; });
  return meters;
}

// How the tuned setting of the sampler was found.
Json tuning_json(const std::vector<RunResult>& runs) {
  Json tuning;
  tuning["key"] = runs[0].tuning.setting;
  for (const RunResult& run : runs) tuning["values"].push_back(run.tuning.value);
  put(tuning, "trainings", runs, [](const RunResult& run) { return run.tuning.num_trainings; });
  put(tuning, "cost", runs, [](const RunResult& run) { return run.tuning.cost; });
  put(tuning, "seconds", runs, [](const RunResult& run) { return run.tuning.seconds; });
  return tuning;
}

// The mistakes of each seed on the test side.
Json test_json(const ExperimentResult& result) {
  Json list = Json::array();
  for (const RunResult& run : result.runs) {
    const std::uint64_t num_wrong = run.confusion.num_wrong(), num_examples = run.confusion.num_examples();
    if (num_examples == 0) continue;
    const ShareInterval interval = share_interval(num_wrong, num_examples);
    Json json{{"seed", run.seed},          {"examples", num_examples},    {"wrong", num_wrong},
              {"error_low", interval.low}, {"error_high", interval.high}, {"confusions", Json::array()}};
    for (const ConfusedPair& pair : run.confusion.pairs(kMostConfusions))
      json["confusions"].push_back({{"truth", result.class_names[pair.label]},
                                    {"predicted", result.class_names[pair.predicted]},
                                    {"examples", pair.count}});
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

Status check_every_test_error(const Experiment& experiment) {
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  if (learner->traits().adds_hypotheses) return Done{};
  return input_error(
             "{} {}: {}, so that the error after every round cannot be had from its model; expected a "
             "booster that adds hypotheses, such as adaboost.mh",
             experiment.learner_key(), experiment.learner().name,
             experiment.has_booster() ? "its rounds change all hypotheses" : "it does not train in rounds")
      .at(experiment.learner().where);
}

std::vector<std::uint32_t> rounds_of_all(std::span<const RunResult> runs) {
  std::vector<std::uint32_t> rounds;
  for (const CurvePoint& first : runs[0].result.curve) {
    const auto has_point = [&](const RunResult& run) { return point_at(run, first.round) != nullptr; };
    if (std::ranges::all_of(runs, has_point)) rounds.push_back(first.round);
  }
  return rounds;
}

const CurvePoint* point_at(const RunResult& run, std::uint32_t round) {
  const auto& curve = run.result.curve;
  const auto found = std::ranges::find(curve, round, &CurvePoint::round);
  return found == curve.end() ? nullptr : &*found;
}

std::optional<ErrorCourse> training_error_course(const RunResult& run) {
  const auto& curve = run.result.curve;
  if (curve.empty()) return std::nullopt;
  const CurvePoint& last = curve.back();
  for (auto point = curve.rbegin() + 1; point < curve.rend(); ++point)
    if (2 * point->round <= last.round)
      return ErrorCourse{point->round, last.round, point->train_error, last.train_error};
  return std::nullopt;
}

Result<ExperimentResult> run_experiment(const Experiment& experiment, const RunSettings& settings,
                                        Workspace& space, const WorkContext& work) {
  ExperimentResult result;
  result.experiment = experiment;
  result.dataset = space.dataset->name;
  result.judging_side = space.dataset->judging_side;
  result.class_names = space.dataset->class_names;
  result.num_features = space.features.num_features();
  result.num_distinct = space.features.num_distinct();
  result.num_examples = space.dataset->train.num_examples + space.dataset->test.num_examples;
  result.warnings = space.warnings;
  result.left_out = space.features.left_out();
  SeedRuns seeds(experiment, settings, space, work);
  for (std::uint32_t i = 0; i < experiment.runs && !work.stop.raised(); ++i) {
    auto run = seeds.run(experiment.seed + i);
    // Stopped before it had anything to show; what the seeds before gave is shown.
    if (!run.ok() && run.error().kind == ErrorKind::kStopped && i > 0) break;
    if (!run.ok()) return run.error();
    result.runs.push_back(*std::move(run));
  }
  result.stopped =
      result.runs.size() < experiment.runs || result.runs.back().result.status == TrainingStatus::kStopped;
  result.families = space.features.families_with_faults();
  if (!result.stopped) seeds.remove_kept_files();
  if (result.runs.empty()) return Error{ErrorKind::kStopped, "stopped before the first run"};
  return result;
}

Json to_json(const ExperimentResult& result) {
  const auto& runs = result.runs;
  const auto last = [](auto member) {
    return [member](const RunResult& run) { return run.result.curve.back().*member; };
  };
  Json json{{"experiment_id", runs[0].run_id}};
  if (runs.size() > 1)
    for (const RunResult& run : runs) json["experiment_ids"].push_back(run.run_id);
  json["finished_before"] = Json::array();
  for (const RunResult& run : runs)
    if (run.was_finished) json["finished_before"].push_back(run.run_id);
  json["name"] = result.experiment.name;
  json["dataset"] = result.dataset;
  json["judged_by"] = result.judging_side;
  put_learner(result.experiment, json);
  json["status"] = to_string(runs.back().result.status);
  if (result.experiment.has_booster())
    put(json, "rounds", runs, [](const RunResult& run) { return run.result.num_rounds; });
  json["seed"] = result.experiment.seed;
  json["runs"] = runs.size();
  json["features"] = result.num_features;
  json["features_distinct"] = result.num_distinct;
  put(json, "train_loss_log10", runs, last(&CurvePoint::train_loss_log10));
  put(json, "train_error", runs, last(&CurvePoint::train_error));
  put(json, "test_error", runs, last(&CurvePoint::test_error));
  put(json, "cost", runs, [](const RunResult& run) { return run.result.meters.fe; });
  json["meters"] = meters_json(runs);
  put(json, "train_seconds", runs, [](const RunResult& run) { return run.result.meters.seconds; });
  put(json, "extract_seconds", runs, [](const RunResult& run) { return run.extract_seconds; });
  put(json, "peak_memory_bytes", runs, [](const RunResult& run) { return run.peak_memory_bytes; });
  if (!runs[0].tuning.setting.empty()) json["tuning"] = tuning_json(runs);
  json["families"] = families_json(result);
  json["curve"] = curve_json(runs);
  json["test"] = test_json(result);
  if (!runs[0].test_errors.empty()) json["every_round"] = every_round_json(runs);
  json["warnings"] = result.warnings;
  json["left_out"] = Json::array();
  for (const LeftOut& one : result.left_out)
    json["left_out"].push_back({{"heuristic", one.heuristic}, {"reason", one.reason}});
  return json;
}

}  // namespace mash
