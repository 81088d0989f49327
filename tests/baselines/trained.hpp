// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"
#include "tests/support/settings_list.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// A run of the learner that `make` gives with these settings.
inline TrainingResult trained(Result<std::unique_ptr<const Learner>> (*make)(Settings&), const World& world,
                              const SettingList& list, std::uint64_t seed = 1,
                              std::span<const std::uint32_t> left_out = {},
                              std::span<const double> example_weights = {}) {
  Settings settings = settings_of(list);
  const auto learner = make(settings);
  if (!learner.ok()) throw std::runtime_error(learner.error().message);
  Observer nobody;
  auto result = (*learner)->train(seed, {.dataset = world.dataset,
                                         .features = world.features(),
                                         .work = world.work,
                                         .observer = nobody,
                                         .checkpoint = {},
                                         .run_key = {},
                                         .left_out = left_out,
                                         .example_weights = example_weights});
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

}  // namespace mash::testing
