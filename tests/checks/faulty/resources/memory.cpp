// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  std::vector<char> table_ = std::vector<char>(std::size_t(100) << 20, 1);
};

TEST_HEURISTIC(Faulty)
