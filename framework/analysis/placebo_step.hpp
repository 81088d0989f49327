// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace mash {

// The step of a ladder on which chance alone seldom climbs: the standard error of the placebo's mean gain
// over the seeds, but at least a tenth of the standard error of the gain that is released, rounded up to one
// digit. gains: the placebo's, of each seed, in per cent of the log-loss.
double placebo_step(std::span<const double> gains, double standard_error);

}  // namespace mash
