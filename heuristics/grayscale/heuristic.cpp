// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

#include "heuristics/common/pixels.hpp"

namespace {

// The grey values of the pixels, row by row.
class Grayscale final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size size) const override { return size.width * size.height; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i)
      out[i] = view.gray()(features[i] % view.width(), features[i] / view.width());
  }

  void compute_all(const mash::View& view, std::span<float> out) override {
    for (std::uint32_t y = 0; y < view.height(); ++y)
      mash::heuristics::copy_row(view.gray(), y, view.width(), out.data() + std::size_t(y) * view.width());
  }
};

}  // namespace

MASH_HEURISTIC(Grayscale, "grayscale", "1.0.0", "MASH", "the grey values of the pixels", "Apache-2.0")
