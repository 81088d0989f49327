// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

// Built twice with another id: feature 0 counts the calls of its own plugin, in a static that would have
// UNIQUE binding.
template <class T>
struct Calls {
  static inline float count = 0;
};

struct Counter final : mash::Heuristic {
  std::uint32_t dim(mash::Size) const override { return 1; }
  void compute(const mash::View&, std::span<const std::uint32_t>, std::span<float> out) override {
    out[0] = ++Calls<int>::count;
  }
};

MASH_HEURISTIC(Counter, COUNTER_ID, COUNTER_VERSION, "nobody", "counts its calls", "Apache-2.0")
