// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/compare_sides.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "framework/operations/experiment/held_settings.hpp"
#include "framework/records/experiment_runs.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

template <class Number>
std::string joined(const std::vector<Number>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

void add_families(const RunRecord& run, KnownSettings& settings) {
  std::vector<RunRecord::Family> families = run.families;
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const RunRecord::Family& family : families)
    settings.emplace_back(
        "family " + family.name,
        fmt::format("{} {}{}, {} features, build {}", family.heuristic.name, family.heuristic.version,
                    family.settings.empty() ? "" : " (" + family.settings + ")", family.dim,
                    family.heuristic.plugin_sha256.substr(0, 8)));
}

// Adds facts beside the settings.
void add_facts(const std::vector<RunRecord>& runs, const std::vector<std::uint64_t>& seeds,
               KnownSettings& settings) {
  const RunRecord& run = runs[0];
  settings.emplace_back("seeds", joined(seeds));
  std::set<std::string> tuned, statuses;
  for (const RunRecord& each : runs) {
    statuses.insert(each.status);
    if (!each.tuning.setting.empty()) tuned.insert(each.tuning.setting + "=" + each.tuning.value);
  }
  if (!tuned.empty()) settings.emplace_back("tuned", fmt::format("{}", fmt::join(tuned, ", ")));
  settings.emplace_back("status", fmt::format("{}", fmt::join(statuses, ", ")));
  settings.emplace_back("data fingerprint", run.data.fingerprint.substr(0, 16));
  settings.emplace_back("training examples", std::to_string(run.data.num_train));
  settings.emplace_back(run.data.judging_side + " examples", std::to_string(run.data.num_test));
  add_families(run, settings);
  settings.emplace_back("threads", std::to_string(run.num_threads));
  settings.emplace_back("program", run.program_version);
  settings.emplace_back("processor", run.machine.cpu);
  settings.emplace_back("instruction set", run.machine.instruction_set);
  settings.emplace_back("system", run.machine.os);
}

void add_figures(const RunRecord& run, ComparedSide& side) {
  const auto add = [&](const char* key, const auto& value) {
    if (value) side.figures[key].push_back(double(*value));
  };
  add("test_error", run.test_error);
  add("train_error", run.train_error);
  add("train_loss_log10", run.train_loss_log10);
  add("rounds", run.num_rounds);
  add("cost", run.fe);
  add("train_seconds", run.train_seconds);
  add("extract_seconds", run.extract_seconds);
  add("peak_memory_bytes", run.peak_memory_bytes);
}

void add_predictions(const RunRecord& run, ComparedSide& side) {
  if (run.predictions.empty()) return;
  std::vector<std::uint16_t> labels, predicted;
  for (const RunRecord::Prediction& one : run.predictions) {
    labels.push_back(std::uint16_t(one.label));
    predicted.push_back(std::uint16_t(one.predicted));
  }
  side.labels = std::move(labels);
  side.predicted.push_back(std::move(predicted));
}

// The mean over the runs.
std::vector<FamilyPart> families_of(const std::vector<RunRecord>& runs) {
  std::map<std::string, FamilyPart> parts;
  for (const RunRecord& run : runs) {
    const double sum = run.alpha_sum(), count = double(runs.size());
    for (const RunRecord::Family& family : run.families) {
      FamilyPart& part = parts[family.name];
      part.name = family.name;
      part.cuts += double(family.chosen) / count;
      if (sum > 0) part.share = part.share.value_or(0) + family.alpha_sum / sum / count;
    }
  }
  std::vector<FamilyPart> families;
  for (auto& [name, part] : parts) families.push_back(std::move(part));
  return families;
}

// The kinds of the hypotheses of a model.
std::string kinds_of(const StrongClassifier& model) {
  std::set<std::string_view> kinds;
  for (const Hypothesis& hypothesis : model.hypotheses)
    kinds.insert(hypothesis.is_tree()         ? "trees"
                 : hypothesis.cuts.size() > 1 ? "products"
                 : hypothesis.is_constant()   ? "constants"
                                              : "stumps");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

// The cuts of a hypothesis share its weight equally.
std::vector<FamilyPart> families_of(const StrongClassifier& model) {
  std::vector<FamilyPart> families;
  for (const ModelFamily& family : model.families) families.push_back({family.name});
  double sum = 0;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    sum += std::abs(hypothesis.alpha);
    for (const Cut& cut : hypothesis.cuts) {
      families[cut.family_idx].cuts += 1;
      std::optional<double>& share = families[cut.family_idx].share;
      share = share.value_or(0) + std::abs(hypothesis.alpha) / double(hypothesis.cuts.size());
    }
  }
  for (FamilyPart& family : families)
    if (sum > 0) family.share = family.share.value_or(0) / sum;
  return families;
}

KnownSettings settings_of_side(const Model& model) {
  KnownSettings settings;
  settings.emplace_back("classes", std::to_string(model.num_classes()));
  const ImageShape& shape = model.shape();
  settings.emplace_back("input", shape.width > 0
                                     ? fmt::format("{}x{}x{}", shape.width, shape.height, shape.num_channels)
                                     : fmt::format("{} columns", model.column_names().size()));
  for (const auto& mode : kResizeModes)
    if (shape.width > 0 && mode.value == shape.resize)
      settings.emplace_back("input resized", std::string(mode.name));
  if (model.is_sum())
    settings.emplace_back("hypotheses", kinds_of(model.sum()));
  else
    settings.emplace_back("kind", model.kind());
  std::vector<ModelFamily> families = model.families();
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const ModelFamily& family : families)
    settings.emplace_back(
        "family " + family.name,
        fmt::format("{} {}{}, {} features", family.heuristic, family.version,
                    family.values.empty() ? "" : " (" + joined(family.values) + ")", family.dim));
  return settings;
}

void add_predictions(DatasetPrediction prediction, ComparedSide& side) {
  side.dataset = std::move(prediction.dataset);
  side.fingerprint = std::move(prediction.dataset_fingerprint);
  side.judging_side = prediction.judging_side;
  side.class_names = std::move(prediction.dataset_classes);
  side.labels = std::move(prediction.labels);
  auto& predicted = side.predicted.emplace_back();
  for (const std::string& name : prediction.classes)
    predicted.push_back(std::uint16_t(std::find(side.class_names.begin(), side.class_names.end(), name) -
                                      side.class_names.begin()));
  side.figures["test_error"] = {*prediction.test_error};
}

}  // namespace

FlatSettings flat_settings(const Experiment& experiment) {
  FlatSettings settings;
  for (HeldSetting& one : held_settings(experiment))
    if (one.key != "heuristics")
      (one.is_default ? settings.defaults : settings.given)
          .emplace_back(std::move(one.key), std::move(one.value));
  return settings;
}

Result<ComparedSide> side_of_runs(const RecordsReader& records, const std::string& argument,
                                  std::int64_t run_id, bool is_alone) {
  std::vector<std::int64_t> ids{run_id};
  if (!is_alone) {
    MASH_ASSIGN(ids, runs_of_experiment(records, run_id));
    if (ids.empty()) ids = {run_id};  // read_run says which there are
  }
  std::vector<RunRecord> runs;
  for (const std::int64_t id : ids) {
    auto run = read_run(records, id);
    if (!run.ok() && run.error().kind == ErrorKind::kInput && id < 0)
      return input_error("{}: no such trial is recorded", argument);
    if (!run.ok()) return run.error();
    runs.push_back(*std::move(run));
  }
  ComparedSide side;
  side.argument = argument;
  side.kind = run_id < 0 ? "trial" : is_alone ? "run" : "experiment";
  side.name = runs[0].name;
  side.dataset = runs[0].data.name;
  side.fingerprint = runs[0].data.fingerprint;
  side.judging_side = runs[0].data.judging_side;
  side.class_names = runs[0].data.class_names;
  side.run_ids = ids;
  for (const RunRecord& run : runs) {
    side.seeds.push_back(run.seed);
    add_figures(run, side);
    add_predictions(run, side);
    side.curves.push_back(run.curve);
  }
  if (side.predicted.size() < runs.size()) side.predicted.clear();
  MASH_ASSIGN(const Experiment experiment, parse_experiment(runs[0].configuration, argument, {}));
  FlatSettings settings = flat_settings(experiment);
  side.settings = std::move(settings.given);
  side.defaults = std::move(settings.defaults);
  add_facts(runs, side.seeds, side.settings);
  side.families = families_of(runs);
  return side;
}

Result<ComparedSide> side_of_model(const ModelSource& source, const DatasetToPredict& dataset,
                                   const WorkContext& work) {
  MASH_ASSIGN(const Model model, read_model(source.model));
  ComparedSide side;
  side.argument = source.model.string();
  side.kind = "model";
  side.name = fmt::format("of {}", counted(model.families().size(), "family", "families"));
  side.figures["features_used"] = {double(model.scorer()->num_values())};
  if (model.is_sum()) {
    const StrongClassifier& sum = model.sum();
    side.name = fmt::format("of {} over {}", counted(sum.hypotheses.size(), "hypothesis", "hypotheses"),
                            counted(sum.families.size(), "family", "families"));
    side.families = families_of(sum);
    side.figures["rounds"] = {double(sum.hypotheses.size())};
  }
  side.settings = settings_of_side(model);
  if (dataset.name.empty()) return side;
  MASH_ASSIGN(DatasetPrediction prediction, predict_dataset(source, dataset, work));
  if (!prediction.test_error)
    return input_error("data set {}: found no labels, expected a label for each test example", dataset.name);
  add_predictions(std::move(prediction), side);
  return side;
}

}  // namespace mash
