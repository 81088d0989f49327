// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/build.hpp"
#include "framework/operations/check.hpp"
#include "framework/operations/doctor.hpp"
#include "framework/operations/heuristics.hpp"
#include "framework/operations/new_project.hpp"
#include "framework/operations/predict.hpp"
#include "framework/operations/run_experiment.hpp"

namespace mash {

// The documents that --json prints and the server answers with. Their keys are a contract: others' scripts
// read them. Errors are fractions, cost is in pairs of feature and example, seconds are wall seconds. What is
// shown in reports (trials, reports of heuristics and pools) has its to_json beside it in framework/reports.

// With several runs each figure is a mean, beside its standard deviation as KEY_sd.
nlohmann::ordered_json to_json(const ExperimentResult& result);

nlohmann::ordered_json to_json(std::span<const ImagePrediction> predictions);
nlohmann::ordered_json to_json(const DatasetToPredict& dataset, const DatasetPrediction& prediction);

nlohmann::ordered_json to_json(const ListedHeuristic& heuristic);
nlohmann::ordered_json to_json(const HeuristicList& list);
nlohmann::ordered_json to_json(const BuildResult& build);
nlohmann::ordered_json to_json(const NewProject& project);

// One heuristic: its document; several: {passed, heuristics: [document]}.
nlohmann::ordered_json to_json(std::span<const checks::CheckReport> reports);
nlohmann::ordered_json to_json(std::span<const checks::Check* const> checks);

nlohmann::ordered_json to_json(const Dataset& dataset);
nlohmann::ordered_json to_json(std::span<const DatasetFormat> formats);

nlohmann::ordered_json to_json(const SystemReport& report);

}  // namespace mash
