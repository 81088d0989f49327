// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/records/experiment_record.hpp"
#include "framework/render/html.hpp"

namespace mash::sections {

// How to run an experiment again: command, settings, data, heuristics, program and machine.
Html reproduction(const ExperimentRecord& record);

}  // namespace mash::sections
