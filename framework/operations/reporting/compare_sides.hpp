// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/operations/reporting/compare.hpp"
#include "framework/records/run_record.hpp"

// Sides of a comparison, as they are found in records and files.
namespace mash {

// Settings of an experiment, "sampler.budget": a key of a section with its section in front. yaml: as of
// to_yaml; what differs between the runs of one experiment is left out.
Result<KnownSettings> flat_settings(const std::string& yaml, const std::string& name);

// All runs of the experiment with this number, or that run alone; trials are below 0, and always alone.
// Errors (kInput): no such run or trial.
Result<ComparedSide> side_of_runs(const RecordsReader& records, const std::string& argument,
                                  std::int64_t run_id, bool is_alone);

// A model file. Errors: those of read_model and predict_dataset.
Result<ComparedSide> side_of_model(const std::string& argument, const CompareSettings& settings,
                                   const WorkContext& work);

}  // namespace mash
