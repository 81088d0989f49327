// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/experiment_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// A figure over the seeds: its mean, and with several seeds its standard deviation as key_sd.
template <class Figure>
void put(Json& json, const std::string& key, const std::vector<RunResult>& runs, const Figure& figure) {
  double sum = 0, squares = 0;
  for (const RunResult& run : runs) sum += double(figure(run));
  const double mean = sum / double(runs.size());
  for (const RunResult& run : runs) squares += (double(figure(run)) - mean) * (double(figure(run)) - mean);
  if (runs.size() == 1)
    json[key] = figure(runs[0]);
  else
    json[key] = mean;
  if (runs.size() > 1) json[key + "_sd"] = std::sqrt(squares / double(runs.size() - 1));
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

// The run's point at this round, or null.
const CurvePoint* point_at(const RunResult& run, std::uint32_t round) {
  const auto& curve = run.result.curve;
  const auto found =
      std::find_if(curve.begin(), curve.end(), [&](const CurvePoint& point) { return point.round == round; });
  return found == curve.end() ? nullptr : &*found;
}

// Only the rounds at which all seeds have a point.
Json curve_json(const std::vector<RunResult>& runs) {
  Json list = Json::array();
  for (const CurvePoint& first : runs[0].result.curve) {
    const auto in_all = [&](const RunResult& run) { return point_at(run, first.round) != nullptr; };
    if (!std::all_of(runs.begin(), runs.end(), in_all)) continue;
    const auto at = [&](auto member) {
      return [&, member](const RunResult& run) { return point_at(run, first.round)->*member; };
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

// Counts and times of all runs.
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

}  // namespace

Json to_json(const ExperimentResult& result) {
  const auto& runs = result.runs;
  const auto last = [](auto member) {
    return [member](const RunResult& run) { return run.result.curve.back().*member; };
  };
  Json json{{"experiment_id", runs[0].run_id}};
  if (runs.size() > 1)
    for (const RunResult& run : runs) json["experiment_ids"].push_back(run.run_id);
  json["name"] = result.experiment.name;
  json["dataset"] = result.dataset;
  json["booster"] = result.experiment.booster.name;
  json["sampler"] = result.experiment.sampler.name;
  json["weak"] = result.experiment.weak.name;
  json["status"] = to_string(runs.back().result.status);
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
  if (!runs[0].test_errors.empty()) json["every_round"] = every_round_json(runs);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace mash
