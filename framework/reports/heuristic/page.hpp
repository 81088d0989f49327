// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic/report.hpp"

namespace mash {

// The report of a heuristic as one page that needs nothing else: no network, no script. dataset: the one that
// it was measured on, for its pictures. Errors: kInput where the data set is another one; those of the
// encoder of pictures.
Result<page::Piece> heuristic_page(const HeuristicReport& report, const Dataset& dataset);

}  // namespace mash
