// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/checks/sound.hpp"

void* volatile first;
void* volatile second;

struct Faulty final : Sound {
  void prepare(const mash::View&) override {
    first = std::malloc(48);
    second = std::malloc(48);
    std::free(first);
    std::free(second);
    std::free(first);
  }
};

TEST_HEURISTIC(Faulty)
