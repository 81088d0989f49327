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

// The booster that `make` makes of these settings, which must be known, with a plain search. name: of the
// booster, for errors.
template <class Make>
Result<std::unique_ptr<const Booster>> made_booster(const Make& make, std::string_view name,
                                                    const SettingList& list) {
  return booster_maker(make, name, list).make(plain_search());
}

// A training with this booster.
inline Training training_with(BoosterMaker booster) {
  Training training;
  training.other_booster = std::move(booster);
  return training;
}

// The result of a training that is stopped after stop_after rounds and goes on from its checkpoint.
inline TrainingResult run_with_an_interruption(Training& training, World& world, std::uint32_t stop_after) {
  const ScratchFolder folder;
  training.checkpoint = folder / "run.ckpt";
  training.stop_after = stop_after;
  EXPECT_EQ(training.run(world).status, TrainingStatus::kStopped);
  training.stop_after = 0;
  return training.run(world);
}

}  // namespace mash::testing
