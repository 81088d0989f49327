// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic/report.hpp"

// The parts of the page of a heuristic; those that it shares with the page of a pool are in
// contribution_sections.hpp. Where there are no data, each says so in a sentence.
namespace mash::sections {

// The verdict, one plot of this version, earlier ones and the other heuristics, and what to do next.
page::Piece verdict(const HeuristicReport& report);
page::Piece key_figures(const HeuristicReport& report);
// Sections on what it changes; the parts of each add up to its gain.
page::Piece class_gains(const HeuristicReport& report);
page::Piece rival_gains(const HeuristicReport& report);
page::Piece slice_gains(const HeuristicReport& report);
// dataset: whose training side the pictures are of. Errors: those of the encoder of pictures.
Result<page::Piece> changed_pictures(const HeuristicReport& report, const Dataset& dataset);
page::Piece looks(const HeuristicReport& report);

page::Piece neighbours(const HeuristicReport& report);
page::Piece dimension_health(const HeuristicReport& report);
page::Piece costs(const HeuristicReport& report);
page::Piece versions(const HeuristicReport& report);
page::Piece provenance(const HeuristicReport& report);

}  // namespace mash::sections
