// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/run_record.hpp"
#include "framework/render/page.hpp"

// The parts of the report of a run, each from what is recorded. Where nothing is recorded (a run that was
// interrupted) a part says so in a sentence.
namespace mash::sections {

page::Piece key_figures(const RunRecord& record);
page::Piece family_leaderboard(const RunRecord& record);
page::Piece learning_curve(const RunRecord& record);

}  // namespace mash::sections
