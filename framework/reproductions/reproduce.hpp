// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "framework/reproductions/common/steps.hpp"

namespace mash {

// A setting that not every table or figure takes.
struct TakenSetting {
  std::string_view name;          // "rounds", "runs", "seed", "methods", ...: of ReproduceSettings
  std::string_view default_text;  // its default as a reader is told; "": what the publication has, or nothing
};

// Something published that can be reproduced.
struct Reproducible {
  std::string_view name;                   // that it is asked for by
  std::string_view summary;                // what it shows, and where it was published
  std::span<const TakenSetting> settings;  // that it takes
  Result<ReproductionReport> (*reproduce)(const ReproduceSettings& settings, const WorkContext& work);
  // A section of the experiment that it has of its own, beside sampler, seed, runs and rounds; "": none.
  std::string_view also_decides = {};
  bool trains = true;  // else no key of an experiment may be set
};
std::span<const Reproducible> reproducible();
// Errors (kInput): an unknown name; lists the known ones.
Result<const Reproducible*> find_reproducible(std::string_view name);

// Computes it, and writes its files where they are wanted. Errors (kInput): no such table, method, data set
// or weak learner; an override of what the table decides itself; those of training; kStopped.
Result<ReproductionReport> reproduce(const ReproduceSettings& settings, const WorkContext& work);

}  // namespace mash
