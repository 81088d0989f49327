// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// The first compute uses up what prepare has made.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    for (std::uint32_t y = 0; y < view.height(); ++y) means_.push_back(row_mean(view, y));
  }
  void compute(const mash::View&, std::span<const std::uint32_t> features, std::span<float> out) override {
    means_.resize(out.size());
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = means_[features[i]];
    means_.clear();
  }
  std::vector<float> means_;
};

TEST_HEURISTIC(Faulty)
