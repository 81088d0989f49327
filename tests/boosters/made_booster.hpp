// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/training.hpp"

namespace mash::testing {

// What `make` makes of these settings, which must be known. name: of the booster, for errors.
template <class Make>
Result<std::unique_ptr<const Booster>> made_booster(const Make& make, std::string_view name,
                                                    const SettingList& list) {
  Settings settings = settings_of(list);
  MASH_ASSIGN(auto made, make(settings));
  MASH_TRY(settings.finish("booster " + std::string(name)));
  return made;
}

// A training with this booster. REQUIRES: there is one.
inline Training training_with(Result<std::unique_ptr<const Booster>> made) {
  if (!made.ok()) throw std::runtime_error(made.error().message);
  Training training;
  training.other_booster = *std::move(made);
  return training;
}

// What a training gives that is stopped after so many rounds and goes on from its checkpoint.
inline TrainingResult run_with_an_interruption(Training& training, World& world, std::uint32_t stop_after) {
  const ScratchFolder folder;
  training.checkpoint = folder / "run.ckpt";
  training.stop_after = stop_after;
  EXPECT_EQ(training.run(world).status, TrainingStatus::kStopped);
  training.stop_after = 0;
  return training.run(world);
}

}  // namespace mash::testing
