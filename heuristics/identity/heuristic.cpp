// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

#include "heuristics/common/pixels.hpp"

namespace {

// The pixels themselves, row by row; of a colour image its red, green and blue plane in turn.
class Identity final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size size) const override { return size.width * size.height * 3; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    const mash::Plane* planes[] = {&view.red(), &view.green(), &view.blue()};
    const std::uint32_t plane_dim = view.width() * view.height();
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint32_t pixel_idx = features[i] % plane_dim;
      out[i] = (*planes[features[i] / plane_dim])(pixel_idx % view.width(), pixel_idx / view.width());
    }
  }

  void compute_all(const mash::View& view, std::span<float> out) override {
    float* row = out.data();
    for (const mash::Plane* plane : {&view.red(), &view.green(), &view.blue()})
      for (std::uint32_t y = 0; y < view.height(); ++y, row += view.width())
        mash::heuristics::copy_row(*plane, y, view.width(), row);
  }
};

}  // namespace

MASH_HEURISTIC(Identity, "identity", "1.0.0", "MASH", "the pixels of the view", "Apache-2.0")
