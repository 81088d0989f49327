// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <algorithm>
#include <bit>

namespace mash {
namespace {

std::uint32_t heaviest(std::span<const double> weights) {
  return std::uint32_t(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

}  // namespace

WeightedDraw::WeightedDraw(std::span<const double> example_weights) : slots_(example_weights.size()) {
  const std::size_t num_examples = slots_.size();
  double sum = 0;
  for (const double weight : example_weights) sum += weight;
  // The share of each example in units of a slot; light ones are topped up with what heavy ones have too
  // much.
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

ExampleDraw WeightedDraw::draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) const {
  ExampleDraw draw;
  if (num_draws >= slots_.size()) return draw;
  draw.num_draws = num_draws;
  thread_local std::vector<std::uint32_t> counts;  // all zero between calls
  counts.resize(std::max(counts.size(), slots_.size()));
  std::vector<std::uint64_t> drawn((slots_.size() + 63) / 64);  // a bit an example: they come out in order
  RandomStream stream(round.seed, "sampler.examples", std::uint64_t(round.number) << 32 | pass);
  for (std::uint64_t i = 0; i < num_draws; ++i) {
    const std::uint32_t n = draw_one(stream);
    ++counts[n];
    drawn[n / 64] |= std::uint64_t(1) << n % 64;
  }
  for (std::size_t word = 0; word < drawn.size(); ++word)
    for (; drawn[word] != 0; drawn[word] &= drawn[word] - 1) {
      const auto n = std::uint32_t(word * 64 + std::size_t(std::countr_zero(drawn[word])));
      draw.rows.push_back(n);
      draw.counts.push_back(counts[n]);
      counts[n] = 0;
    }
  return draw;
}

}  // namespace mash
