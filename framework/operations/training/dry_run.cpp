// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/dry_run.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "framework/base/machine.hpp"
#include "framework/base/scratch_allocator.hpp"
#include "framework/base/store_room.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/stored_family.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;
using Kept = FamilyForecast::Kept;

std::vector<std::string> first_warnings(const Dataset& dataset, const Catalogue& catalogue) {
  std::vector<std::string> warnings = dataset.warnings;
  for (const std::string& line : refusals(catalogue)) warnings.push_back(line);
  return warnings;
}

// left: bytes of the store limit that are not taken yet.
FamilyForecast forecast_family(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                               const ExtractionContext& context, std::uint64_t& left) {
  FamilyForecast family;
  family.name = spec.name;
  family.dim = dim;
  family.store_bytes = store_bytes(dim, settings, context.dataset);
  family.content_bytes = content_bytes(dim, settings, context.dataset);
  ExtractionCost cost = measure_cost(spec, dim, context);
  family.microseconds_per_image = spec.columns ? std::numeric_limits<double>::quiet_NaN() : cost.microseconds;
  if (stored_bytes(spec, settings, context.dataset) > 0) family.kept = Kept::kStored;
  if (is_on_demand(spec, family.store_bytes, left, context.dataset)) {
    family.kept = Kept::kLazy;
    family.store_bytes = family.content_bytes = 0;
  }
  left -= std::min(left, family.store_bytes);
  if (family.kept == Kept::kMissing) {
    cost.microseconds *= share_missing(spec, dim, settings, context);
    family.extract_seconds = extraction_seconds(dim, cost, context);
    family.setup_seconds = cost.setup_seconds;
  }
  return family;
}

// The families in order; an error of one is an error here where it is one of the run (must_be_there).
Status forecast_families(std::span<const FamilySpec> specs, const StoreSettings& settings,
                         const ExtractionContext& context, DryRun& forecast) {
  std::uint64_t left = settings.limit;
  ErrorList errors;
  context.work.progress.start("measuring", specs.size(), "families");
  for (const FamilySpec& spec : specs) {
    if (context.work.stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
    context.work.progress.note(spec.name);
    const auto dim = family_dim(spec, context);
    if (dim.ok())
      forecast.families.push_back(forecast_family(spec, *dim, settings, context, left));
    else if (must_be_there(spec, dim.error(), settings.strict))
      errors.add(dim.error().at(fmt::format("heuristic {}", spec.name)));
    else
      forecast.warnings.push_back(fmt::format("heuristic {}: {}; left out", spec.name, dim.error().message));
    context.work.progress.advance(1);
  }
  context.work.progress.finish();
  MASH_TRY(errors.status(forecast.experiment.file));
  if (forecast.families.empty()) return input_error("no heuristic is left");
  return Done{};
}

std::uint64_t bytes_of_examples(const Split& split) {
  return split.pixels.size() + split.values.size() * sizeof(float) +
         split.labels.size() * sizeof(std::uint16_t);
}

// Families on demand keep no codes.
std::uint64_t bytes_of_codes(const DryRun& forecast) {
  std::uint64_t sum = 0;
  for (const FamilyForecast& family : forecast.families) sum += family.store_bytes - family.content_bytes;
  return sum;
}

MemoryForecast forecast_memory(const DryRun& forecast, const Learner& learner) {
  const Dataset& dataset = *forecast.dataset;
  const std::uint64_t num_train = dataset.train.num_examples, num_test = dataset.test.num_examples,
                      num_classes = dataset.num_classes(), num_examples = num_train + num_test;
  constexpr std::uint64_t kBytesOfAColumn = 160;  // its name, in the data set and wherever it is looked up
  MemoryForecast memory;
  memory.dataset = bytes_of_examples(dataset.train) + bytes_of_examples(dataset.test) +
                   kBytesOfAColumn * dataset.column_names.size();
  if (dataset.train.is_endless()) {
    memory.training = num_test * 8 * num_classes;
    memory.formula = fmt::format(
        "the program itself + the examples (of those for training {}) + M x 8 K bytes (M = {} test examples, "
        "K = {} classes); beside it some bytes for each feature of the examples that the booster knows at a "
        "time",
        num_train, num_test, num_classes);
    return memory;
  }
  constexpr std::uint64_t kBand = std::uint64_t(128) << 20, kFeatures = 32;
  const std::uint64_t most_in_bands =
      std::uint64_t(forecast.num_threads) * std::max(kBand, kFeatures * num_examples * sizeof(float));
  memory.store = bytes_of_codes(forecast);
  // Values in memory are quantised in small blocks, those of a file in bands.
  memory.extraction = forecast.scratch_bytes <= kMostBytesWithoutFile
                          ? forecast.scratch_bytes
                          : std::max(kMostBytesWithoutFile, std::min(most_in_bands, forecast.scratch_bytes));
  memory.training = learner.training_bytes({num_train, num_test, forecast.num_features(), num_classes});
  memory.formula = fmt::format(
      "the program itself + the examples + codes and thresholds of all features + the larger of extraction "
      "(the values of the largest family, 4 bytes each; of one with more than {} MiB of them, threads x "
      "max(128 MiB, 32 features of all examples)) and training ({}; N = {} training examples, M = {} test "
      "examples, K = {} classes). Codes, and pixels where a side has {} MiB of them or more, are in files, "
      "which the system writes out where memory is short",
      kMostBytesWithoutFile >> 20,
      forecast.rounds ? std::string("N x (34 K + 8) + M x 8 K bytes + K x 32 KiB")
                      : fmt::format("what classifier {} holds", forecast.experiment.classifier.name),
      num_train, num_test, num_classes, kScratchBytes >> 20);
  return memory;
}

// The training of a run with these families: measured where the learner has rounds that can be timed.
Result<TrainingForecast> training_of(std::span<const FamilySpec> specs, const StoreSettings& settings,
                                     const ExtractionContext& context, const DryRun& forecast) {
  TrainingForecast none;
  none.num_trainings = forecast.experiment.runs;
  const auto any = [&](Kept kept) {
    return std::ranges::find(forecast.families, kept, &FamilyForecast::kept) != forecast.families.end();
  };
  if (!forecast.rounds)
    none.reason = fmt::format("classifier {} does not train in rounds, the first of which could be timed",
                              forecast.experiment.classifier.name);
  else if (forecast.dataset->train.is_endless())
    none.reason = "features are computed as the examples come";
  else if (any(Kept::kLazy))
    none.reason = "not all features fit into the store's limit";
  if (!none.reason.empty()) return none;
  if (any(Kept::kMissing))
    return forecast_training_by_parts(forecast.experiment, *forecast.rounds, specs, settings,
                                      forecast.extract_seconds(), context);
  MASH_ASSIGN(const FeatureSet features, FeatureSet::open(specs, settings, context));
  return forecast_training(forecast.experiment, *forecast.rounds, *forecast.dataset, features, context.work);
}

Json forecasts_json(std::span<const FamilyForecast> families) {
  Json list = Json::array();
  for (const FamilyForecast& family : families)
    list.push_back({{"name", family.name},
                    {"dim", family.dim},
                    {"kept", to_string(family.kept)},
                    {"store_bytes", family.store_bytes},
                    {"content_bytes", family.content_bytes},
                    {"microseconds_per_image", family.microseconds_per_image},
                    {"extract_seconds", family.extract_seconds},
                    {"setup_seconds", family.setup_seconds}});
  return list;
}

Json training_json(const TrainingForecast& training) {
  Json json{{"trainings", training.num_trainings},
            {"rounds_measured", training.rounds_measured},
            {"measured_on", training.num_measured_on}};
  json["seconds"] = training.rounds_measured > 0 ? Json(training.seconds) : Json();
  if (training.rounds_measured == 0) json["reason"] = training.reason;
  return json;
}

}  // namespace

std::string_view to_string(FamilyForecast::Kept kept) {
  switch (kept) {
    case Kept::kStored: return "stored";
    case Kept::kMissing: return "missing";
    case Kept::kLazy: return "on-demand";
  }
  return "";
}

std::uint64_t DryRun::num_features() const {
  return std::accumulate(families.begin(), families.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const auto& family) { return sum + family.dim; });
}

std::uint64_t DryRun::bytes_to_store() const {
  return std::accumulate(families.begin(), families.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const auto& family) {
                           return sum + (family.kept == Kept::kMissing ? family.store_bytes : 0);
                         });
}

double DryRun::extract_seconds() const {
  return std::accumulate(families.begin(), families.end(), 0.0,
                         [](double sum, const auto& family) { return sum + family.extract_seconds; });
}

Result<DryRun> dry_run(const Experiment& experiment, const WorkspaceSettings& settings,
                       const WorkContext& work) {
  DryRun forecast;
  forecast.experiment = experiment;
  forecast.num_threads = work.workers.num_threads();
  MASH_ASSIGN(Catalogue catalogue,
              open_catalogue({settings.heuristics, experiment.isolation, experiment.patience}, work));
  MASH_TRY(check_experiment(experiment, catalogue));
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  forecast.store = settings.store.empty() ? default_store() : settings.store;
  MASH_TRY(check_store_folder(forecast.store));
  forecast.store_limit = settings.store_limit;
  forecast.store_free = free_bytes(forecast.store);
  const std::uint64_t memory_before = peak_memory_bytes();
  MASH_ASSIGN(Dataset dataset, load_experiment_dataset(experiment, work));
  const std::uint64_t memory_of_reading = peak_memory_bytes() - memory_before;
  MASH_TRY(check_endless(experiment, *learner, dataset));
  forecast.dataset = std::make_shared<const Dataset>(std::move(dataset));
  forecast.rounds = learner->num_rounds(forecast.dataset->num_classes());
  forecast.warnings = first_warnings(*forecast.dataset, catalogue);
  MASH_ASSIGN(const std::vector<FamilySpec> specs,
              experiment_families(experiment, *forecast.dataset, catalogue));
  MASH_TRY(learner->check_families(specs));
  MASH_ASSIGN(const StoreSettings store, store_settings_of(experiment, settings));
  std::optional<PictureKeys> keys;
  if (keeps_by_content(store, *forecast.dataset)) keys.emplace(*forecast.dataset, work.workers);
  const ExtractionContext context{catalogue.host(), *forecast.dataset, work, keys ? &*keys : nullptr};
  MASH_TRY(forecast_families(specs, store, context, forecast));
  const std::uint64_t num_examples =
      forecast.dataset->train.num_examples + forecast.dataset->test.num_examples;
  for (const FamilyForecast& family : forecast.families)
    if (family.kept == Kept::kMissing)
      forecast.scratch_bytes =
          std::max(forecast.scratch_bytes, std::uint64_t(family.dim) * num_examples * sizeof(float));
  forecast.memory = forecast_memory(forecast, *learner);
  forecast.memory.program = memory_before;
  forecast.memory.reading = memory_of_reading;
  MASH_ASSIGN(forecast.training, training_of(specs, store, context, forecast));
  return forecast;
}

Json to_json(const DryRun& forecast) {
  const Experiment& experiment = forecast.experiment;
  const MemoryForecast& memory = forecast.memory;
  Json json{{"dry_run", true}, {"name", experiment.name}};
  put_learner(experiment, json);
  if (forecast.rounds) json["rounds"] = *forecast.rounds;
  json["seed"] = experiment.seed;
  json["runs"] = experiment.runs;
  json["threads"] = forecast.num_threads;
  json["dataset"] = to_json(*forecast.dataset);
  json["features"] = forecast.num_features();
  json["families"] = forecasts_json(forecast.families);
  json["store"] = {{"folder", forecast.store.string()},
                   {"bytes_to_add", forecast.bytes_to_store()},
                   {"scratch_bytes", forecast.scratch_bytes},
                   {"limit_bytes", forecast.store_limit},
                   {"free_bytes", forecast.store_free}};
  json["memory"] = {{"bytes", memory.total()},
                    {"program_bytes", memory.program},
                    {"dataset_bytes", memory.dataset},
                    {"store_bytes", memory.store},
                    {"extraction_bytes", memory.extraction},
                    {"training_bytes", memory.training},
                    {"reading_bytes", memory.reading},
                    {"formula", memory.formula}};
  json["extract_seconds"] = forecast.extract_seconds();
  json["training"] = training_json(forecast.training);
  json["warnings"] = forecast.warnings;
  return json;
}

}  // namespace mash
