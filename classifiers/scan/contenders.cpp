// SPDX-License-Identifier: Apache-2.0
//
// The part of StumpScan that leaves out features which cannot win.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "classifiers/scan/stump_scan.hpp"
#include "framework/base/progress.hpp"

namespace mash {
namespace {

// It is tried where the effective number of examples, (sum w)^2 / sum w^2, is at most this share of all. In
// boosting on MNIST it never was.
constexpr double kMaxEffectiveShare = 1.0 / 10;
// One feature in so many is evaluated on all examples, to know an edge that is surely reached.
constexpr std::size_t kPilotStep = 64;
// The examples beside the heaviest hold together at most this share of that edge.
constexpr double kEdgeShareLeft = 1.0 / 3;
// The heaviest may be this share of all: their codes are gathered, which takes twice as long as adding
// weights.
constexpr double kMaxHeavyShare = 1.0 / 5;

const Candidate& largest_edge(std::span<const Candidate> candidates) {
  return *std::max_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.edge < b.edge; });
}

std::vector<Candidate> merged(std::span<const Candidate> a, std::span<const Candidate> b) {
  std::vector<Candidate> all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const Candidate& x, const Candidate& y) { return x.feature < y.feature; });
  return all;
}

}  // namespace

bool StumpScan::has_few_heavy_examples() const {
  double sum_of_squares = 0;  // the sum is 1
  for (const double weight : example_weights()) sum_of_squares += weight * weight;
  return 1 / sum_of_squares <= kMaxEffectiveShare * double(num_examples());
}

ExampleDraw StumpScan::heaviest(double weight_left) const {
  // By halves of what could still be taken or left: a whole sort is not needed.
  const auto weights = example_weights();
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0u);
  std::size_t low = 0, high = order.size();  // the first `low` are left, those from `high` are taken
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto begin = order.begin();
    std::nth_element(
        begin + std::ptrdiff_t(low), begin + std::ptrdiff_t(middle), begin + std::ptrdiff_t(high),
        [&](auto a, auto b) { return weights[a] != weights[b] ? weights[a] < weights[b] : a < b; });
    double sum = 0;
    for (std::size_t i = low; i <= middle; ++i) sum += weights[order[i]];
    if (sum > weight_left) {
      high = middle;
    } else {
      weight_left -= sum;
      low = middle + 1;
    }
  }
  ExampleDraw draw;
  draw.rows.assign(order.begin() + std::ptrdiff_t(high), order.end());
  std::sort(draw.rows.begin(), draw.rows.end());
  return draw;
}

template <class Integer>
void StumpScan::select_rows(const ExampleDraw& draw, const AlignedVector<Integer>& from,
                            AlignedVector<Integer>& integers) {
  RoundedRows& rows = drawn_rows_;
  rows.num_rows = draw.rows.size();
  rows.scale = all_rows_.scale;
  rows.totals.assign(strips_.num_all_lanes(), 0);
  rows.magnitude = 0;
  rows.block_ends.clear();
  integers.resize(std::max(integers.size(), rows.num_rows * strips_.num_all_lanes()));
  for (std::size_t strip = 0; strip < strips_.num_strips; ++strip)
    for (std::size_t r = 0; r < rows.num_rows; ++r)
      for (std::size_t lane = 0; lane < strips_.num_lanes; ++lane) {
        const Integer weight = from[strips_.at(strip, draw.rows[r], all_rows_.num_rows) + lane];
        integers[strips_.at(strip, r, rows.num_rows) + lane] = weight;
        rows.totals[strip * strips_.num_lanes + lane] += weight;
        rows.magnitude += std::abs(weight);
      }
  for (std::size_t begin = 0; begin < rows.num_rows; begin += RoundedRows::kRowsPerTask)
    append_block_ends(integers.data(), rows.num_rows, strips_, begin,
                      std::min(begin + RoundedRows::kRowsPerTask, rows.num_rows), rows.block_ends);
}

std::vector<Candidate> StumpScan::evaluate_contenders(std::span<const std::uint32_t> features) {
  if (!rounds() || features.size() < 2 * kPilotStep || !has_few_heavy_examples()) return evaluate(features);
  weigh_all();
  std::vector<std::uint32_t> pilots, others;
  for (std::size_t i = 0; i < features.size(); ++i)
    (i % kPilotStep == 0 ? pilots : others).push_back(features[i]);
  const std::vector<Candidate> evaluated = evaluate(pilots);
  double reached = largest_edge(evaluated).edge;

  Stopwatch watch;
  const ExampleDraw heavy = heaviest(reached * kEdgeShareLeft);
  const bool pays =
      !heavy.rows.empty() && double(heavy.rows.size()) <= kMaxHeavyShare * double(num_examples());
  if (pays && settings_.mode == ScanMode::kI16) select_rows(heavy, all_rows_.i16, drawn_rows_.i16);
  if (pays && settings_.mode == ScanMode::kI8) select_rows(heavy, all_rows_.i8, drawn_rows_.i8);
  meters_.phases.weigh += watch.seconds();
  if (!pays) return merged(evaluated, evaluate(others));

  count(others, heavy.rows.size(), heavy.rows.size());
  std::vector<Candidate> on_heavy(others.size());
  std::vector<std::uint32_t> kept, contenders;
  scan_codes(others, examples_of(heavy, kept), drawn_rows_, on_heavy);
  const std::uint32_t leader = largest_edge(on_heavy).feature;
  reached = std::max(reached, evaluate({&leader, 1}).front().edge);
  const double left = double(all_rows_.magnitude - drawn_rows_.magnitude) / all_rows_.scale;
  constexpr double kRounding = 1e-12;  // of the sum, so that none is lost to it
  for (const Candidate& candidate : on_heavy)
    if (candidate.edge + left >= reached * (1 - kRounding)) contenders.push_back(candidate.feature);
  return contenders.empty() ? evaluated : merged(evaluated, evaluate(contenders));
}

}  // namespace mash
