// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "framework/base/settings.hpp"

namespace mash {

// The end of a search in steps. Each search says what its tolerance is compared with.
struct IterationLimits {
  double tolerance = 1e-4;
  std::uint32_t num_iterations = 1000;
};

// `tolerance` and `iterations`.
Result<IterationLimits> read_iteration_limits(Settings& settings, const IterationLimits& defaults);

}  // namespace mash
