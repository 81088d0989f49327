// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <memory>

#include "tests/checks/sound.hpp"

namespace {

std::atomic<std::size_t> num_prepared = 0;
std::atomic<const char*> last_scratch;  // else the compiler leaves the allocations out

// Its scratch memory has another size in every fourth picture, and all of it is given back: that is no leak,
// though an allocator may keep a few pieces of each size at hand.
struct Unsteady final : Sound {
  void prepare(const mash::View&) override {
    const std::size_t size = 24 + 16 * (num_prepared++ / 4 % 64);
    std::array<std::unique_ptr<char[]>, 7> scratch;
    for (auto& piece : scratch) {
      piece = std::make_unique<char[]>(size);
      last_scratch = piece.get();
    }
  }
};

}  // namespace

TEST_HEURISTIC(Unsteady)
