// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/experiment_record.hpp"
#include "framework/render/html.hpp"

// The parts of the report of an experiment, each from what is recorded. Where nothing is recorded (a run that
// was interrupted) a part says so in a sentence.
namespace mash::sections {

Html key_figures(const ExperimentRecord& record);
Html family_leaderboard(const ExperimentRecord& record);
Html learning_curve(const ExperimentRecord& record);
Html family_bars(const ExperimentRecord& record);

}  // namespace mash::sections
