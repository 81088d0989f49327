// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Looks ahead at the next index.
struct Faulty final : Sound {
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint32_t next = features.data()[i + 1];
      out[i] = row_mean(view, features[i]) + float(next == features[i] + 1);
    }
  }
};

TEST_HEURISTIC(Faulty)
