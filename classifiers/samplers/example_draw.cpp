// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <bit>

namespace mash {
namespace {

constexpr std::size_t kDrawsPerBlock = 2048;  // that share a random stream

}  // namespace

WeightedDraw::WeightedDraw(std::span<const double> example_weights, const Workers& workers)
    : workers_(workers),
      cumulative_(example_weights.size()),
      guide_(std::bit_ceil(example_weights.size()) + 1),
      counts_(example_weights.size()),
      drawn_((example_weights.size() + 63) / 64) {
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

ExampleDraw WeightedDraw::draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) {
  ExampleDraw draw;
  if (num_draws >= cumulative_.size()) return draw;
  draw.num_draws = num_draws;
  std::vector<std::uint32_t> examples(num_draws);
  workers_.for_blocks(num_draws, kDrawsPerBlock, [&](std::size_t block, std::size_t begin, std::size_t end) {
    RandomStream stream(round.seed, "sampler.examples", std::uint64_t(round.number) << 32 | pass << 20 | block);
    for (std::size_t i = begin; i < end; ++i) examples[i] = draw_one(stream);
  });
  for (const std::uint32_t n : examples) {
    ++counts_[n];
    drawn_[n / 64] |= std::uint64_t(1) << n % 64;
  }
  for (std::size_t word = 0; word < drawn_.size(); ++word)
    for (; drawn_[word] != 0; drawn_[word] &= drawn_[word] - 1) {
      const auto n = std::uint32_t(word * 64 + std::size_t(std::countr_zero(drawn_[word])));
      draw.rows.push_back(n);
      draw.counts.push_back(counts_[n]);
      counts_[n] = 0;
    }
  return draw;
}

}  // namespace mash
