// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  std::uint32_t dim(mash::Size size) const override {
    return num_prepared_ > 0 ? size.height - 1 : size.height;
  }
  void prepare(const mash::View&) override { ++num_prepared_; }
  int num_prepared_ = 0;
};

TEST_HEURISTIC(Faulty)
