// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "framework/reproductions/reproduce_steps.hpp"

namespace mash {

// Something published that can be reproduced.
struct Reproducible {
  std::string_view name;     // on the command line
  std::string_view summary;  // what it shows, and where it was published
  std::string_view options;  // those of `mash reproduce` that it takes, with its defaults
  Result<ReproductionReport> (*reproduce)(const ReproduceSettings& settings, const WorkContext& work);
};
std::span<const Reproducible> reproducible();
// Errors (kInput): an unknown name; lists the known ones.
Result<const Reproducible*> find_reproducible(std::string_view name);

// Computes it, and writes its files where they are wanted. Errors (kInput): no such table, method, data set
// or weak learner; an override of what the table decides itself; those of training; kStopped.
Result<ReproductionReport> reproduce(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
