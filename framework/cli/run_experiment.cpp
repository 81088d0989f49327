// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/run_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "classifiers/builtin.hpp"
#include "framework/base/file.hpp"
#include "framework/records/records.hpp"

namespace mash {
namespace {

// What cannot be written to should be known before the training, not after.
Status check_outputs(const RunOptions& options) {
  if (!options.model.empty()) MASH_TRY(check_output_file("--model", options.model));
  return check_store_folder(store_folder(options.store));
}

Result<Dataset> load(const Experiment& experiment, Progress& progress) {
  auto dataset =
      load_dataset(experiment.dataset.name, experiment.dataset.settings, experiment.seed, progress);
  if (!dataset.ok()) {
    // Whatever else is wrong has a place of its own.
    const bool is_known =
        std::any_of(dataset_formats().begin(), dataset_formats().end(),
                    [&](const DatasetFormat& format) { return format.name == experiment.dataset.name; });
    return is_known ? dataset.error() : dataset.error().at(experiment.dataset.where);
  }
  if (dataset->train.num_examples == 0)
    return input_error("data set {}: no training examples", experiment.dataset.name);
  return dataset;
}

// A family that a sampler names and that is none of the experiment's should not be found out after
// extraction.
Status check_family(const Settings& sampler, std::span<const FamilySpec> specs) {
  const auto family = sampler.peek("family");
  if (!family || *family == kTuned) return Done{};
  std::vector<std::string_view> known;
  for (const FamilySpec& spec : specs) known.push_back(spec.name);
  if (std::find(known.begin(), known.end(), *family) != known.end()) return Done{};
  return unknown_name("family", *family, known).at(sampler.where("family"));
}

}  // namespace

Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs;
  if (experiment.all_heuristics) {
    for (const HeuristicInfo& info : catalogue.heuristics()) {
      MASH_ASSIGN(auto values, parameter_values(info, {}));
      specs.push_back({info.id, info, values, describe_values(info, values), false});
    }
    if (specs.empty())
      return input_error(
          "no heuristics were found; searched the folders of --heuristics, $MASH_HEURISTICS and the "
          "installed ones");
  }
  for (const NamedSettings& wanted : experiment.heuristics) {
    const auto info = catalogue.find(wanted.name);
    if (!info.ok()) return info.error().at(wanted.where);
    MASH_ASSIGN(auto values, parameter_values(**info, wanted.settings));
    specs.push_back({wanted.name, **info, values, describe_values(**info, values), true});
  }
  std::sort(specs.begin(), specs.end(), [](const FamilySpec& a, const FamilySpec& b) {
    return std::tie(a.name, a.settings) < std::tie(b.name, b.settings);
  });
  for (std::size_t i = 1; i < specs.size(); ++i)
    if (specs[i - 1].heuristic.id == specs[i].heuristic.id && specs[i - 1].settings == specs[i].settings)
      return input_error("heuristic {} stands twice with the same settings ({})", specs[i].heuristic.id,
                         specs[i].settings);
  for (FamilySpec& spec : specs)
    if (std::count_if(specs.begin(), specs.end(),
                      [&](const auto& s) { return s.heuristic.id == spec.heuristic.id; }) > 1)
      spec.name = fmt::format("{}({})", spec.heuristic.id, spec.settings);
  return specs;
}

Result<std::unique_ptr<ExperimentData>> ExperimentData::open(const Experiment& experiment,
                                                             const RunOptions& options, Progress& progress) {
  MASH_ASSIGN(Catalogue catalogue, options.catalogue.open());
  return open(experiment, options, std::move(catalogue), progress);
}

Result<std::unique_ptr<ExperimentData>> ExperimentData::open(const Experiment& experiment,
                                                             const RunOptions& options, Catalogue catalogue,
                                                             Progress& progress) {
  MASH_ASSIGN(const Parts parts, make_parts(experiment));
  MASH_TRY(check_outputs(options));
  const auto store_limit = parse_size(options.store_limit);
  if (!store_limit.ok()) return store_limit.error().at("--store-limit");
  MASH_ASSIGN(Dataset dataset, load(experiment, progress));
  std::vector<FamilySpec> specs{columns_family()};
  if (!dataset.is_table()) {
    MASH_ASSIGN(specs, family_specs(experiment, catalogue));
  }
  MASH_TRY(check_family(experiment.sampler.settings, specs));
  MASH_ASSIGN(
      Records records,
      Records::open(options.database.empty() ? default_database() : std::filesystem::path(options.database)));
  std::unique_ptr<ExperimentData> data(
      new ExperimentData(options, progress, std::move(catalogue), std::move(dataset), std::move(records)));
  for (const char* kept : {"checkpoints", "models"})
    remove_old_files(store_folder(options.store) / kept, std::chrono::days(30));
  const StoreSettings store{store_folder(options.store), *store_limit,
                            parts.search.weak->cuts() == Cuts::kExact, options.strict};
  MASH_ASSIGN(data->features_, FeatureSet::open(specs, store,
                                                {data->catalogue_.host(), data->dataset_, data->workers_,
                                                 progress, data->stop_}));
  for (const std::string& warning : data->warnings())
    if (!options.output.quiet) fmt::print(stderr, "warning: {}\n", warning);
  return data;
}

std::vector<std::string> ExperimentData::warnings() const {
  std::vector<std::string> warnings = dataset_.warnings;
  for (const std::string& left_out : features_->left_out()) warnings.push_back(left_out);
  for (const RefusedPlugin& refused : catalogue_.refused())
    warnings.push_back(fmt::format("plugin {} refused: {}", refused.file.string(), refused.reason));
  return warnings;
}

Status ExperimentData::check_faults() const { return options_.strict ? check_strict(*features_) : Done{}; }

ExperimentData::ExperimentData(const RunOptions& options, Progress& progress, Catalogue catalogue,
                               Dataset dataset, Records records)
    : options_(options),
      progress_(progress),
      catalogue_(std::move(catalogue)),
      dataset_(std::move(dataset)),
      records_(std::move(records)),
      workers_(options.num_threads),
      stop_(stop_on_signals()) {}

Result<ExperimentOutcome> ExperimentData::run(const Experiment& experiment) {
  ExperimentOutcome outcome;
  outcome.experiment = experiment;
  outcome.num_features = features_->num_features();
  outcome.num_distinct = features_->num_distinct();
  outcome.warnings = warnings();
  const Session session{experiment, options_, dataset_, *features_, workers_, records_, progress_, stop_};
  for (std::uint32_t run = 0; run < experiment.runs && !stop_.raised(); ++run) {
    auto one = run_seed(session, experiment.seed + run);
    // Stopped before it had anything to show; what the seeds before gave is shown.
    if (!one.ok() && one.error().kind == ErrorKind::kStopped && run > 0) break;
    if (!one.ok()) return one.error();
    outcome.runs.push_back(*std::move(one));
  }
  outcome.stopped =
      outcome.runs.size() < experiment.runs || outcome.runs.back().result.status == TrainingStatus::kStopped;
  outcome.families = features_->families_with_faults();
  std::error_code code;
  if (!outcome.stopped)
    for (const RunOutcome& one : outcome.runs)
      for (const auto& file : one.kept_files) std::filesystem::remove(file, code);
  if (outcome.runs.empty()) return Error{ErrorKind::kStopped, "stopped before the first run"};
  return outcome;
}

Result<ExperimentOutcome> run_experiment(const Experiment& experiment, const RunOptions& options,
                                         Progress& progress) {
  MASH_ASSIGN(const auto data, ExperimentData::open(experiment, options, progress));
  return data->run(experiment);
}

}  // namespace mash
