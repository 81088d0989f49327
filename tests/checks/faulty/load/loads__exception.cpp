// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "tests/checks/sound.hpp"

// Wants a file that is not there, before anybody can catch it.
static int load() { throw std::runtime_error("filters.bin not found"); }
static const int filters = load();

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + float(filters);
  }
};

TEST_HEURISTIC(Faulty)
