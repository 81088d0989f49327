// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// An address counts, as in a hash of pointers.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    static const int anchor = 0;
    return row_mean(view, y) + float(reinterpret_cast<std::uintptr_t>(&anchor) >> 12 & 0xffff);
  }
};

TEST_HEURISTIC(Faulty)
