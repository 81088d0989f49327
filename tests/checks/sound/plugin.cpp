// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <memory>

#include "tests/checks/sound.hpp"

namespace {

std::atomic<std::size_t> num_prepared = 0;
std::atomic<const char*> last_scratch;  // else the compiler leaves the allocations out

// Its scratch memory has another size in every fourth picture, and all of it is given back: that is no leak,
// though an allocator may keep a few pieces of each size at hand. In a film the features depend on the
// picture before too.
struct Unsteady final : Sound {
  static constexpr std::uint32_t looks_back = 1;

  void prepare(const mash::View& view) override {
    before_ = view.num_before() > 0 ? now_ : 0;
    now_ = row_mean(view, 0);
    const std::size_t size = 24 + 16 * (num_prepared++ / 4 % 64);
    std::array<std::unique_ptr<char[]>, 7> scratch;
    for (auto& piece : scratch) {
      piece = std::make_unique<char[]>(size);
      last_scratch = piece.get();
    }
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) - before_; }

 private:
  float now_ = 0, before_ = 0;
};

}  // namespace

TEST_HEURISTIC(Unsteady)
