// SPDX-License-Identifier: Apache-2.0
// A heuristic whose library does MISDEED while it is loaded.
#include <mash/heuristic.hpp>

#include "tests/hostile/misbehave.hpp"

namespace {

const bool was_let = misbehave(MISDEED);

class AtLoad final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size) const override { return 1; }
  void compute(const mash::View&, std::span<const std::uint32_t>, std::span<float> out) override {
    for (float& value : out) value = was_let ? 1.f : 0.f;
  }
};

}  // namespace

MASH_HEURISTIC(AtLoad, ID, "1.0.0", "MASH", "misbehaves while it is loaded", "Apache-2.0")
