// SPDX-License-Identifier: Apache-2.0
//
// The scan's speed in (feature, example) pairs per second on one core, beside what the memory system and the adders of
// this machine can do in the same process.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/scan/histogram.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 60000;
constexpr std::size_t kFeatures = 64;

// Random weights of K classes and codes of kFeatures features; `zeros` of the codes are 0, as in pictures of digits.
template <class Weight>
struct Workload {
  Workload(std::size_t num_classes, std::size_t num_rows, double zeros) : num_lanes(padded_lanes(num_classes)) {
    RandomStream stream(1, "bench");
    weights.resize(num_rows * num_lanes);
    totals.resize(num_lanes);
    for (std::size_t r = 0; r < num_rows; ++r)
      for (std::size_t l = 0; l < num_classes; ++l)
        totals[l] += weights[r * num_lanes + l] = Weight(std::int64_t(stream.below(200)) - 100);
    codes.resize(num_rows * kFeatures);
    for (auto& code : codes) code = stream.uniform() < zeros ? 0 : std::uint8_t(stream.below(256));
    for (std::size_t j = 0; j < kFeatures; ++j)
      columns.push_back({&codes[j * num_rows], 255, zeros > 0.6 ? 0 : CodeColumn::kNoMode});
    rows = {weights.data(), num_rows, num_lanes, totals.data()};
  }

  std::size_t num_lanes;
  std::vector<Weight> weights;
  std::vector<std::int32_t> totals;
  std::vector<std::uint8_t> codes;
  std::vector<CodeColumn> columns;
  WeightRows<Weight> rows;
};

template <class Weight>
void scan(benchmark::State& state) {
  const auto num_classes = std::size_t(state.range(0)), num_rows = std::size_t(state.range(1));
  const Workload<Weight> work(num_classes, num_rows, double(state.range(2)) / 100);
  std::vector<std::int32_t> scratch(scratch_size(work.num_lanes));
  std::vector<IntegerCut> best(kFeatures);
  for (auto _ : state) {
    best_cuts(work.columns, work.rows, scratch, best.data());
    benchmark::DoNotOptimize(best.data());
  }
  const double pairs = double(state.iterations()) * double(num_rows * kFeatures);
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  // A pair reads its code and adds a row of 32-bit sums; the weights are shared by the features of a pass.
  state.counters["bytes/s"] = benchmark::Counter(pairs * double(1 + 8 * work.num_lanes), benchmark::Counter::kIsRate);
  state.SetLabel(scan_target());
}
BENCHMARK(scan<std::int16_t>)->ArgNames({"K", "examples", "zeros%"})->ArgsProduct({{1, 2, 10, 26, 101}, {kExamples}, {0}})
    ->Args({10, kExamples, 81})->Args({10, 130, 0})->Args({10, 1040, 0})->Args({10, 8320, 0});
BENCHMARK(scan<std::int8_t>)->ArgNames({"K", "examples", "zeros%"})->Args({10, kExamples, 0})->Args({10, kExamples, 81});

// The bound of the scan: one store of a row of sums per pair. Stores to as many bytes as a pair's, in first-level cache.
void store_probe(benchmark::State& state) {
  constexpr std::size_t kLanes = 16;
  std::vector<std::int32_t> bins(256 * kLanes);
  for (auto _ : state) {
    for (std::size_t bin = 0; bin < 256; ++bin)
      for (std::size_t lane = 0; lane < kLanes; ++lane) bins[bin * kLanes + lane] += 1;
    benchmark::DoNotOptimize(bins.data());
    benchmark::ClobberMemory();
  }
  state.counters["rows/s"] = benchmark::Counter(double(state.iterations()) * 256, benchmark::Counter::kIsRate);
}
BENCHMARK(store_probe);

void read_probe(benchmark::State& state) {
  const std::vector<std::uint64_t> memory(std::size_t(1) << 24, 1);
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(memory.begin(), memory.end(), std::uint64_t(0)));
  state.SetBytesProcessed(state.iterations() * std::int64_t(memory.size() * sizeof(std::uint64_t)));
}
BENCHMARK(read_probe);

void draw_examples(benchmark::State& state) {
  RandomStream stream(1, "bench.weights");
  std::vector<double> weights(kExamples);
  for (double& weight : weights) weight = stream.uniform();
  const WeightedDraw weighted(weights);
  std::uint32_t round = 0;
  for (auto _ : state) benchmark::DoNotOptimize(weighted.draw(std::uint64_t(state.range(0)), {1, ++round}, 0));
  state.counters["draws/s"] = benchmark::Counter(double(state.iterations() * state.range(0)), benchmark::Counter::kIsRate);
}
BENCHMARK(draw_examples)->Arg(130)->Arg(4160)->Arg(33280);

void build_draw_table(benchmark::State& state) {
  RandomStream stream(1, "bench.weights");
  std::vector<double> weights(kExamples);
  for (double& weight : weights) weight = stream.uniform();
  for (auto _ : state) {
    const WeightedDraw weighted(weights);
    benchmark::DoNotOptimize(&weighted);
  }
}
BENCHMARK(build_draw_table);

}  // namespace
}  // namespace mash
