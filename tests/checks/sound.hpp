// SPDX-License-Identifier: Apache-2.0
// A heuristic that keeps every rule: the mean grey value of each row. Each plugin in faulty/ replaces the
// piece in which it is at fault.
#pragma once

#include <mash/heuristic.hpp>

struct Sound : mash::Heuristic {
  std::uint32_t dim(mash::Size size) const override { return size.height; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = feature(view, features[i]);
  }

  virtual float feature(const mash::View& view, std::uint32_t y) { return row_mean(view, y); }

  static float row_mean(const mash::View& view, std::uint32_t y) {
    std::uint32_t sum = 0;
    for (std::uint32_t x = 0; x < view.width(); ++x) sum += view.gray()(x, y);
    return float(sum) / float(view.width());
  }
};

#define TEST_HEURISTIC(Class) \
  MASH_HEURISTIC(Class, "test/faulty", "1.0.0", "somebody", "breaks one rule", "Apache-2.0")
