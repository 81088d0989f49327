// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/run_record.hpp"
#include "framework/render/html.hpp"

// The parts of the report of a run, each from what is recorded. Where nothing is recorded (a run that
// was interrupted) a part says so in a sentence.
namespace mash::sections {

Html key_figures(const RunRecord& record);
Html family_leaderboard(const RunRecord& record);
Html learning_curve(const RunRecord& record);
Html family_bars(const RunRecord& record);

}  // namespace mash::sections
