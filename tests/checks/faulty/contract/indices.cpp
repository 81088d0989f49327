// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Writes feature i, not feature indices[i].
struct Faulty final : Sound {
  void compute(const mash::View& view, std::span<const std::uint32_t>, std::span<float> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = row_mean(view, std::uint32_t(i));
  }
};

TEST_HEURISTIC(Faulty)
