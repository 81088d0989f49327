// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <algorithm>
#include <bit>

namespace mash {
namespace {

std::uint32_t heaviest(std::span<const double> weights) {
  return std::uint32_t(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

// Examples in the order of their priorities, the largest first; among equals the first comes first.
class Priorities {
 public:
  Priorities(std::span<const double> example_weights, RandomStream stream)
      : weights_(example_weights), priorities_(example_weights.size()) {
    for (std::size_t n = 0; n < weights_.size(); ++n) priorities_[n] = weights_[n] / (1 - stream.uniform());
  }

  // For each size S < N the example that S others come before. sizes: increasing.
  std::vector<std::uint32_t> after_the_first(std::span<const std::uint64_t> sizes) const {
    std::vector<std::uint32_t> order = feature_range(0, std::uint32_t(weights_.size())), next(sizes.size());
    auto end = order.end();
    for (std::size_t i = sizes.size(); i-- > 0;) {
      if (sizes[i] >= weights_.size()) continue;
      const auto nth = order.begin() + std::ptrdiff_t(sizes[i]);
      std::nth_element(order.begin(), nth, end, [this](auto a, auto b) { return comes_before(a, b); });
      next[i] = *nth;
      end = nth + 1;
    }
    return next;
  }

  // The examples before `next` that have a weight.
  ExampleDraw draw_until(std::uint32_t next) const {
    const double threshold = priorities_[next];
    // Where all that have a weight come before, they keep their weights.
    const double unit = threshold > 0 ? threshold : weights_[heaviest(weights_)];
    ExampleDraw draw;
    for (std::uint32_t n = 0; n < weights_.size(); ++n) {
      if (weights_[n] == 0 || !comes_before(n, next)) continue;
      const double count = weights_[n] / unit;
      draw.rows.push_back(n);
      draw.counts.push_back(threshold > 0 ? std::max(1.0, count) : count);
      draw.num_draws += draw.counts.back();
    }
    return draw;
  }

 private:
  bool comes_before(std::uint32_t a, std::uint32_t b) const {
    return priorities_[a] != priorities_[b] ? priorities_[a] > priorities_[b] : a < b;
  }

  std::span<const double> weights_;
  std::vector<double> priorities_;
};

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
  draw.num_draws = double(num_draws);
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
      draw.counts.push_back(double(counts[n]));
      counts[n] = 0;
    }
  return draw;
}

std::vector<ExampleDraw> nested_draws(std::span<const double> example_weights,
                                      std::span<const std::uint64_t> sizes, const Round& round,
                                      const Workers& workers) {
  const Priorities priorities(example_weights, round.stream("sampler.priorities"));
  const std::vector<std::uint32_t> next = priorities.after_the_first(sizes);
  std::vector<ExampleDraw> draws(sizes.size());
  workers.for_ranges(sizes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (sizes[i] < example_weights.size()) draws[i] = priorities.draw_until(next[i]);
  });
  return draws;
}

}  // namespace mash
