// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Divides by a parameter that may be 0.
struct Faulty final : Sound {
  static constexpr auto parameters = std::array{mash::integer("cell", "side of a cell, pixels", 4, 0, 8)};
  explicit Faulty(const mash::Parameters& values) : num_cells_(256 / int(values.integer("cell"))) {}
  int num_cells_;
};

TEST_HEURISTIC(Faulty)
