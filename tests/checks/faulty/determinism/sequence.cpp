// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// How much brighter each row is than the mean of all pictures before, and not just of the one that it looks
// back at.
struct LongMemory final : Sound {
  static constexpr std::uint32_t looks_back = 1;

  void prepare(const mash::View& view) override {
    if (view.num_before() == 0) sum_ = count_ = 0;
    before_ = count_ > 0 ? sum_ / count_ : 0;
    sum_ += row_mean(view, 0);
    ++count_;
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) - before_; }

 private:
  float sum_ = 0, count_ = 0, before_ = 0;
};

TEST_HEURISTIC(LongMemory)
