// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <mash/heuristic.hpp>

#include "heuristics/common/local_binary_pattern.hpp"
#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// The local binary pattern of every pixel, row by row. Beyond the border the outermost pixels repeat.
class Lbp final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters =
      std::array{mash::integer("radius", "distance to the eight neighbours, pixels", 1, 1, 16)};

  explicit Lbp(const mash::Parameters& parameters) : radius_(std::uint32_t(parameters.integer("radius"))) {}

  std::uint32_t dim(mash::Size size) const override { return size.width * size.height; }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    pixels_.read(view.gray(), {view.width(), view.height()}, radius_);
    const auto offsets = mash::heuristics::neighbour_offsets(pixels_.stride(), radius_);
    float* out = values.data();
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const std::uint8_t* row = pixels_.row(y);
      for (std::uint32_t x = 0; x < view.width(); ++x)
        *out++ = float(mash::heuristics::local_binary_pattern(row + x, offsets));
    }
  }

  std::uint32_t radius_;
  mash::heuristics::Pixels pixels_;
};

}  // namespace

MASH_HEURISTIC(Lbp, "lbp", "1.0.0", "MASH", "local binary pattern of every pixel", "Apache-2.0")
