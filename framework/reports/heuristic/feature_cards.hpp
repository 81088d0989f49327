// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic/report.hpp"

namespace mash::sections {

// The best features of a heuristic, a card each: wins, edge and threshold, values by class, and how they go
// along with each pixel. Errors: those of the encoder of pictures.
Result<page::Piece> feature_cards(const HeuristicReport& report);

}  // namespace mash::sections
