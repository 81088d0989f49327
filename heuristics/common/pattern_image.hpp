// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <span>

#include "heuristics/common/pixel_patterns.hpp"
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
    pixel_patterns(view, radius_, kPattern, pixels_, values.data());
  }

  std::uint32_t radius_;
  Pixels pixels_;
};

}  // namespace mash::heuristics
