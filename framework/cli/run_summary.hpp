// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/operations/training/run_experiment.hpp"

namespace mash {

// The end of the text of `mash run`: what the first seed gets wrong on its test side, with an interval, which
// classes it confuses, and whether more rounds may help. Empty where nothing is known.
std::string run_summary(const ExperimentResult& result);

}  // namespace mash
