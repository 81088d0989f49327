// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.hpp>

// Built three times in one version: as a model was trained with it, changed since, and as another compiler
// might round it. A feature is the mean of a band of rows, times SHADES_SCALE, plus SHADES_SHIFT.
struct Shades final : mash::Heuristic {
  static constexpr std::uint32_t kNumBands = 16;

  std::uint32_t dim(mash::Size) const override { return kNumBands; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint32_t begin = features[i] * view.height() / kNumBands,
                          end = (features[i] + 1) * view.height() / kNumBands;
      float sum = 0;
      for (std::uint32_t y = begin; y < end; ++y)
        for (std::uint32_t x = 0; x < view.width(); ++x) sum += view.gray()(x, y);
      out[i] = float(SHADES_SCALE) * (sum / float(view.width())) + float(SHADES_SHIFT);
    }
  }
};

MASH_HEURISTIC(Shades, "test/shades", "1.0.0", "nobody", "means of rows", "Apache-2.0")
