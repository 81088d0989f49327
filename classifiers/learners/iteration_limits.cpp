// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/iteration_limits.hpp"

namespace mash {

Result<IterationLimits> read_iteration_limits(Settings& settings, const IterationLimits& defaults) {
  constexpr std::int64_t kMost = 1'000'000'000;
  IterationLimits limits;
  MASH_ASSIGN(limits.tolerance, settings.real("tolerance", defaults.tolerance, 1e-12, 1));
  MASH_ASSIGN(const std::int64_t num_iterations,
              settings.integer("iterations", defaults.num_iterations, 1, kMost));
  limits.num_iterations = std::uint32_t(num_iterations);
  return limits;
}

}  // namespace mash
