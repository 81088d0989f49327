// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <span>

#include "heuristics/common/local_binary_pattern.hpp"
#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace mash::heuristics {

// The pattern of every grey pixel, row by row. Beyond the border the outermost pixels repeat.
// kPattern(centre, offsets) computes the code of one pixel from its eight neighbours.
template <auto kPattern>
class PatternImage final : public WholeHeuristic {
 public:
  static constexpr auto parameters =
      std::array{integer("radius", "distance to the eight neighbours, pixels", 1, 1, 16)};

  explicit PatternImage(const Parameters& parameters)
      : radius_(std::uint32_t(parameters.integer("radius"))) {}

  std::uint32_t dim(Size size) const override { return size.width * size.height; }

 private:
  void compute_values(const View& view, std::span<float> values) override {
    pixels_.read(view.gray(), {view.width(), view.height()}, radius_);
    const auto offsets = neighbour_offsets(pixels_.stride(), radius_);
    float* out = values.data();
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const std::uint8_t* row = pixels_.row(y);
      for (std::uint32_t x = 0; x < view.width(); ++x) *out++ = float(kPattern(row + x, offsets));
    }
  }

  std::uint32_t radius_;
  Pixels pixels_;
};

}  // namespace mash::heuristics
