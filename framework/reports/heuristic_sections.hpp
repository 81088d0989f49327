// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic_report.hpp"

// The parts of the page of a heuristic that are its own; those that it shares with the page of a pool are in
// contribution_sections.hpp. Where there are no data, each says so in a sentence.
namespace mash::sections {

page::Piece key_figures(const HeuristicReport& report);
page::Piece verdict_lines(const HeuristicReport& report);
page::Piece gains(const HeuristicReport& report);
Result<page::Piece> changed_pictures(const HeuristicReport& report, const Dataset& dataset);
page::Piece learning_curves(const HeuristicReport& report);
page::Piece confusion_difference(const HeuristicReport& report);
page::Piece neighbours(const HeuristicReport& report);
page::Piece booster_use(const HeuristicReport& report);
page::Piece dimension_health(const HeuristicReport& report);
page::Piece robustness_charts(const HeuristicReport& report);
page::Piece credit(const HeuristicReport& report);
page::Piece past_trials_table(const HeuristicReport& report);
page::Piece provenance(const HeuristicReport& report);

}  // namespace mash::sections
