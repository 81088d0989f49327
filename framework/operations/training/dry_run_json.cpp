// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/dry_run_json.hpp"

#include <nlohmann/json.hpp>

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

Json forecasts_json(std::span<const FamilyForecast> families) {
  Json list = Json::array();
  for (const FamilyForecast& family : families)
    list.push_back({{"name", family.name},
                    {"dim", family.dim},
                    {"kept", to_string(family.kept)},
                    {"store_bytes", family.store_bytes},
                    {"microseconds_per_image", family.microseconds_per_image},
                    {"extract_seconds", family.extract_seconds}});
  return list;
}

Json training_json(const TrainingForecast& training) {
  Json json{{"trainings", training.num_trainings}, {"rounds_measured", training.rounds_measured}};
  json["seconds"] = training.rounds_measured > 0 ? Json(training.seconds) : Json();
  if (training.rounds_measured == 0) json["reason"] = training.reason;
  return json;
}

}  // namespace

Json to_json(const DryRun& forecast) {
  const Experiment& experiment = forecast.experiment;
  const MemoryForecast& memory = forecast.memory;
  Json json{{"dry_run", true},
            {"name", experiment.name},
            {"booster", experiment.booster.name},
            {"sampler", experiment.sampler.name},
            {"weak", experiment.weak.name},
            {"rounds", forecast.rounds},
            {"seed", experiment.seed},
            {"runs", experiment.runs},
            {"threads", forecast.num_threads},
            {"dataset", to_json(*forecast.dataset)},
            {"features", forecast.num_features()},
            {"families", forecasts_json(forecast.families)}};
  json["store"] = {{"folder", forecast.store.string()},
                   {"bytes_to_add", forecast.bytes_to_store()},
                   {"scratch_bytes", forecast.scratch_bytes},
                   {"limit_bytes", forecast.store_limit},
                   {"free_bytes", forecast.store_free}};
  json["memory"] = {{"bytes", memory.total()},
                    {"dataset_bytes", memory.dataset},
                    {"extraction_bytes", memory.extraction},
                    {"training_bytes", memory.training},
                    {"formula", memory.formula}};
  json["extract_seconds"] = forecast.extract_seconds();
  json["training"] = training_json(forecast.training);
  json["warnings"] = forecast.warnings;
  return json;
}

}  // namespace mash
