// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + float(number_);
  }
  static inline int num_instances = 0;
  int number_ = num_instances++;
};

TEST_HEURISTIC(Faulty)
