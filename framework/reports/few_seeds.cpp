// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/few_seeds.hpp"

#include <fmt/format.h>

namespace mash {

std::string few_seeds_remark(const MeanError& error) {
  if (error.num_seeds < 2 || error.num_seeds >= kFewSeeds) return "";
  return fmt::format("{} seeds say little: with {} the interval would be about {:.0f} % as wide.",
                     error.num_seeds, kEnoughSeeds,
                     100 * error.with_seeds(kEnoughSeeds).reach() / error.reach());
}

}  // namespace mash
