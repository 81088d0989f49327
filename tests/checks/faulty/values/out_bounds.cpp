// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    Sound::compute(view, features, out);
    *(out.data() + out.size()) = 0;
  }
};

TEST_HEURISTIC(Faulty)
