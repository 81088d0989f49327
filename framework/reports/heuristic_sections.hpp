// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/render/html.hpp"
#include "framework/reports/heuristic_report.hpp"

// The parts of the page of a heuristic that are its own; those that it shares with the page of a pool are in
// contribution_sections.hpp. Where there are no data, each says so in a sentence.
namespace mash::sections {

Html key_figures(const HeuristicReport& report);
Html verdict_lines(const HeuristicReport& report);
Html gains(const HeuristicReport& report);
Result<Html> changed_pictures(const HeuristicReport& report, const Dataset& dataset);
Html learning_curves(const HeuristicReport& report);
Html confusion_difference(const HeuristicReport& report);
Html neighbours(const HeuristicReport& report);
Html booster_use(const HeuristicReport& report);
Html dimension_health(const HeuristicReport& report);
Html robustness_charts(const HeuristicReport& report);
Html credit(const HeuristicReport& report);
Html past_trials_table(const HeuristicReport& report);
Html provenance(const HeuristicReport& report);

}  // namespace mash::sections
