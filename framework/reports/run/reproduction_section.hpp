// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/run_record.hpp"
#include "framework/render/page.hpp"

namespace mash::sections {

// How to repeat a run: command, settings, data, heuristics, program and machine.
page::Piece reproduction(const RunRecord& record);

}  // namespace mash::sections
