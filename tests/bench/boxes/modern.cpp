// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <mash/heuristic.hpp>
#include <random>

#include "boxes.hpp"

namespace {

class ModernBoxes final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size) const override { return Boxes::kNumFeatures; }

  void prepare(const mash::View& view) override {
    const std::uint32_t side = (std::min(view.width(), view.height()) - 1) / 2 * 2 + 1;
    if (side != side_) {
      std::minstd_rand random(1);
      const auto draw = [&](unsigned int limit) { return unsigned(random()) % limit; };
      boxes_.draw(side_ = side, draw);
    }
    const mash::Plane gray = view.gray();
    boxes_.integrate(gray.row((view.height() - side) / 2) + (view.width() - side) / 2, gray.row_stride());
  }

  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = boxes_.feature(features[i]);
  }

 private:
  std::uint32_t side_ = 0;
  Boxes boxes_;
};

}  // namespace

MASH_HEURISTIC(ModernBoxes, "bench/modern-boxes", "1.0.0", "MASH", "differences of boxes", "Apache-2.0")
