// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <algorithm>
#include <bit>

namespace mash {

WeightedDraw::WeightedDraw(std::span<const double> example_weights)
    : cumulative_(example_weights.size()), guide_(std::bit_ceil(example_weights.size()) + 1), counts_(example_weights.size()) {
  double sum = 0;
  for (std::size_t n = 0; n < cumulative_.size(); ++n) cumulative_[n] = sum += example_weights[n];
  const double per_weight = double(guide_.size() - 1) / sum;
  std::size_t slot = 0;
  for (std::size_t n = 0; n < cumulative_.size(); ++n)
    for (; slot < guide_.size() && double(slot) <= cumulative_[n] * per_weight; ++slot) guide_[slot] = std::uint32_t(n);
  for (; slot < guide_.size(); ++slot) guide_[slot] = std::uint32_t(cumulative_.size() - 1);
}

std::uint32_t WeightedDraw::draw_one(RandomStream& stream) const {
  const double u = stream.uniform();
  const double target = u * cumulative_.back();
  std::uint32_t n = guide_[std::size_t(u * double(guide_.size() - 1))];
  while (n > 0 && cumulative_[n - 1] > target) --n;  // the guide's rounding may be one too far
  while (n + 1 < cumulative_.size() && cumulative_[n] <= target) ++n;
  return n;
}

ExampleDraw WeightedDraw::draw(std::uint64_t num_draws, RandomStream& stream) {
  ExampleDraw draw;
  if (num_draws >= cumulative_.size()) return draw;
  draw.num_draws = num_draws;
  for (std::uint64_t i = 0; i < num_draws; ++i) {
    const std::uint32_t n = draw_one(stream);
    if (counts_[n]++ == 0) draw.rows.push_back(n);
  }
  std::sort(draw.rows.begin(), draw.rows.end());
  for (const std::uint32_t n : draw.rows) {
    draw.counts.push_back(counts_[n]);
    counts_[n] = 0;
  }
  return draw;
}

}  // namespace mash
