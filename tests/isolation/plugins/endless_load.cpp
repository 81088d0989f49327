// SPDX-License-Identifier: Apache-2.0
// A heuristic whose library is never loaded to the end.
#include <mash/heuristic.hpp>

namespace {

[[gnu::constructor]] void work() {
  volatile bool goes_on = true;
  while (goes_on) {
  }
}

class EndlessLoad final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size) const override { return 1; }
  void compute(const mash::View&, std::span<const std::uint32_t>, std::span<float> out) override {
    out[0] = 1;
  }
};

}  // namespace

MASH_HEURISTIC(EndlessLoad, "test/endless-load", "1.0.0", "nobody", "1", "Apache-2.0")
