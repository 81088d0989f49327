// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/progress.hpp"

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

std::vector<double> WeightedDraw::places(std::uint64_t num_draws, RandomStream stream) const {
  constexpr std::size_t kStep = 4;  // summed apart, so that they wait for one sum in four
  std::vector<float> gaps((num_draws + kStep) / kStep * kStep);
  stream.exponential(gaps);
  std::vector<double> places(gaps.size());
  double sum = 0;
  for (std::size_t i = 0; i < gaps.size(); i += kStep) {
    double ahead = 0;
    for (std::size_t k = 0; k < kStep; ++k) places[i + k] = sum + (ahead += gaps[i + k]);
    sum += ahead;
  }
  const double end = sums_.total(), unit = end / places[num_draws], last = std::nextafter(end, 0.0);
  places.resize(num_draws);
  for (double& place : places) place = std::min(place * unit, last);
  return places;
}

ExampleDraw WeightedDraw::draw(std::uint64_t num_draws, const Round& round, std::uint32_t pass) const {
  ExampleDraw draw;
  if (num_draws >= num_examples_) return draw;
  draw.num_draws = double(num_draws);
  draw.rows.resize(num_draws);
  draw.counts.resize(num_draws);
  const std::vector<double> sorted = places(
      num_draws, RandomStream(round.seed, "sampler.examples", std::uint64_t(round.number) << 32 | pass));
  const std::size_t num_rows = find_places(sums_, sorted, draw.rows.data(), draw.counts.data());
  draw.rows.resize(num_rows);
  draw.counts.resize(num_rows);
  return draw;
}

ExampleDraw timed_draw(StumpScan& scan, const WeightedDraw& weighted, std::uint64_t num_draws,
                       const Round& round, std::uint32_t pass) {
  const SecondsScope timed(scan.ledger().meters().phases.draw);
  return weighted.draw(num_draws, round, pass);
}

std::vector<ExampleDraw> nested_draws(std::span<const double> example_weights,
                                      std::span<const std::uint64_t> sizes, const Round& round,
                                      const Workers& workers) {
  const Priorities priorities(example_weights, round.stream("sampler.priorities"));
  const std::vector<std::uint32_t> next = priorities.after_the_first(sizes);
  std::vector<ExampleDraw> draws(sizes.size());
  workers.for_each_in_order(sizes.size(), [&](std::size_t later) {
    const std::size_t i = sizes.size() - 1 - later;  // the last is the largest
    if (sizes[i] < example_weights.size()) draws[i] = priorities.draw_until(next[i]);
  });
  return draws;
}

}  // namespace mash
