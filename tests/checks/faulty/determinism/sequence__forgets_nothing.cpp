// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Looks back at two pictures, and in the second of a film at one of the film before.
struct ForgetsNothing final : Sound {
  static constexpr std::uint32_t looks_back = 2;

  void prepare(const mash::View& view) override {
    two_before_ = view.num_before() > 0 ? before_ : 0;
    before_ = now_;
    now_ = row_mean(view, 0);
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) - two_before_; }

 private:
  float two_before_ = 0, before_ = 0, now_ = 0;
};

TEST_HEURISTIC(ForgetsNothing)
