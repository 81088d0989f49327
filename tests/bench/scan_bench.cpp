// SPDX-License-Identifier: Apache-2.0
//
// The scan's speed in (feature, example) pairs per second on one core, and as a share of two limits measured
// in the same process: what a plain loop of the same additions reaches, and one stored row of sums a cycle.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "classifiers/scan/histogram.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"
#include "tests/bench/probe.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 60000;
constexpr std::size_t kFeatures = 64;

// Random weights of K classes and codes of kFeatures features; `zeros` of the codes are 0, as in pictures of
// digits.
template <class Weight>
struct Workload {
  Workload(std::size_t num_classes, std::size_t num_rows, double zeros) : strips(num_classes) {
    RandomStream stream(1, "bench");
    weights.resize(num_rows * strips.num_all_lanes());
    totals.resize(strips.num_all_lanes());
    for (std::size_t r = 0; r < num_rows; ++r)
      for (std::size_t l = 0; l < num_classes; ++l)
        totals[l] += weights[strips.at(l / strips.num_lanes, r, num_rows) + l % strips.num_lanes] =
            Weight(std::int64_t(stream.below(33)) - 16);
    codes.resize(num_rows * kFeatures);
    for (auto& code : codes) code = stream.uniform() < zeros ? 0 : std::uint8_t(stream.below(256));
    for (std::size_t j = 0; j < kFeatures; ++j)
      columns.push_back({&codes[j * num_rows], 255, zeros > 0.6 ? 0 : CodeColumn::kNoMode});
    append_block_ends(weights.data(), num_rows, strips, 0, num_rows, block_ends);
    rows = {weights.data(), num_rows, strips, totals.data(), block_ends};
  }

  Strips strips;
  AlignedVector<Weight> weights;
  std::vector<std::int32_t> totals;
  std::vector<std::uint32_t> block_ends;
  std::vector<std::uint8_t> codes;
  std::vector<CodeColumn> columns;
  WeightRows<Weight> rows;
};

template <class Weight>
void scan(benchmark::State& state) {
  const auto num_classes = std::size_t(state.range(0)), num_rows = std::size_t(state.range(1));
  const Workload<Weight> work(num_classes, num_rows, double(state.range(2)) / 100);
  std::vector<IntegerCut> best(kFeatures);
  const Stopwatch watch;
  for (auto _ : state) {
    best_cuts(work.columns, work.rows, best.data());
    benchmark::DoNotOptimize(best.data());
  }
  const double pairs = double(state.iterations()) * double(num_rows * kFeatures);
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
  state.SetLabel(instruction_set());
  if (work.columns[0].skip_code != CodeColumn::kNoMode) return;  // most pairs are not added at all
  // A pair reads its code and its sums, and writes these; the weights are shared by the features of a pass.
  state.counters["bytes/s"] =
      benchmark::Counter(pairs * double(1 + 4 * work.strips.num_all_lanes()), benchmark::Counter::kIsRate);
  const double seconds = watch.seconds(), num_columns = double(state.iterations()) * kFeatures;
  const double bound = double(num_rows) / bench::added_rows_per_second(work.strips.num_lanes) +
                       1 / bench::walks_per_second(work.strips.num_lanes);
  const double num_strips = double(work.strips.num_strips);
  state.counters["of_bound"] = num_columns * num_strips * bound / seconds;
  state.counters["of_store_bound"] =
      pairs * num_strips / bench::stored_rows_per_second(work.strips.num_lanes) / seconds;
}

// Examples of early, middle and late passes of a tournament.
constexpr std::int64_t kSampled[] = {130, 1040, 8320};

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"K", "examples", "zeros%"});
  for (const std::int64_t num_classes : {1, 2, 10, 26, 101})
    for (const std::int64_t zeros : {0, 81}) b->Args({num_classes, kExamples, zeros});
  for (const std::int64_t num_examples : kSampled) b->Args({10, num_examples, 0});
}
BENCHMARK(scan<std::int16_t>)->Apply(sizes);
BENCHMARK(scan<std::int8_t>)->Apply(sizes);

// The parts of the limits.
void measure_clock(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bench::cycles_per_second());
  state.counters["cycles/s"] = bench::cycles_per_second();
}
BENCHMARK(measure_clock)->Name("clock")->Iterations(1);

void add_rows(benchmark::State& state) {
  const auto num_lanes = std::size_t(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(bench::added_rows_per_second(num_lanes));
  state.counters["rows/s"] = bench::added_rows_per_second(num_lanes);
}
BENCHMARK(add_rows)->ArgName("lanes")->Arg(4)->Arg(8)->Arg(16)->Iterations(1);

void walk_codes(benchmark::State& state) {
  const auto num_lanes = std::size_t(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(bench::walks_per_second(num_lanes));
  state.counters["features/s"] = bench::walks_per_second(num_lanes);
}
BENCHMARK(walk_codes)->ArgName("lanes")->Arg(4)->Arg(8)->Arg(16)->Iterations(1);

void read_probe(benchmark::State& state) {
  const std::vector<std::uint64_t> memory(std::size_t(1) << 24, 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(std::accumulate(memory.begin(), memory.end(), std::uint64_t(0)));
  state.SetBytesProcessed(state.iterations() * std::int64_t(memory.size() * sizeof(std::uint64_t)));
}
BENCHMARK(read_probe);

}  // namespace
}  // namespace mash
