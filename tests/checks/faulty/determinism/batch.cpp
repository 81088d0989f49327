// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Normalises over what happens to be asked for.
struct Faulty final : Sound {
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    Sound::compute(view, features, out);
    const float sum = std::accumulate(out.begin(), out.end(), 1.0f);
    for (float& value : out) value /= sum;
  }
};

TEST_HEURISTIC(Faulty)
