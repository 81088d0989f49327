// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Leaves the last value out.
struct Faulty final : Sound {
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i + 1 < features.size(); ++i) out[i] = row_mean(view, features[i]);
  }
};

TEST_HEURISTIC(Faulty)
