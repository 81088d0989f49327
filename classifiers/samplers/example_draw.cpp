// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <algorithm>
#include <bit>

namespace mash {
namespace {

constexpr std::size_t kDrawsPerBlock = 2048;  // that share a random stream

std::uint32_t heaviest(std::span<const double> weights) {
  return std::uint32_t(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

}  // namespace

WeightedDraw::WeightedDraw(std::span<const double> example_weights, const Workers& workers)
    : workers_(workers), slots_(example_weights.size()), counts_(example_weights.size()), drawn_((example_weights.size() + 63) / 64) {
  const std::size_t num_examples = slots_.size();
  double sum = 0;
  for (const double weight : example_weights) sum += weight;
  // The share of each example in units of a slot; light ones are topped up with what heavy ones have too much.
  std::vector<double> share(num_examples);
  std::vector<std::uint32_t> light, heavy;
  light.reserve(num_examples);
  heavy.reserve(num_examples);
  for (std::size_t n = 0; n < num_examples; ++n) {
    share[n] = example_weights[n] * (double(num_examples) / sum);
    (share[n] < 1 ? light : heavy).push_back(std::uint32_t(n));
    slots_[n].other = std::uint32_t(n);
  }
  while (!light.empty() && !heavy.empty()) {
    const std::uint32_t small = light.back(), large = heavy.back();
    light.pop_back();
    slots_[small] = {std::uint32_t(share[small] * 0x1p32), large};
    share[large] -= 1 - share[small];
    if (share[large] < 1) {
      heavy.pop_back();
      light.push_back(large);
    }
  }
  // What rounding left over stands for itself; but an example without weight is never drawn.
  for (const std::uint32_t n : light)
    if (example_weights[n] == 0) slots_[n] = {0, heaviest(example_weights)};
}

std::uint32_t WeightedDraw::draw_one(RandomStream& stream) const {
  __extension__ using Product = unsigned __int128;
  const Product product = Product(stream.next_u64()) * slots_.size();
  const auto slot = std::uint32_t(product >> 64), fraction = std::uint32_t(product >> 32);
  return fraction < slots_[slot].split ? slot : slots_[slot].other;
}

ExampleDraw WeightedDraw::draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) {
  ExampleDraw draw;
  if (num_draws >= slots_.size()) return draw;
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
