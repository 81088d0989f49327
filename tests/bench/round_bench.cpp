// SPDX-License-Identifier: Apache-2.0
//
// The parts of a round beside the scan, one thread, at the size of MNIST: drawing examples, adding a
// hypothesis to the scores. step_bench.cpp moves the weights.
#include <benchmark/benchmark.h>

#include <vector>

#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "classifiers/scan/kernels/cell_sums.hpp"
#include "classifiers/scan/kernels/rounding.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 60000;
constexpr std::size_t kClasses = 10;

benchmark::Counter rate(double total) { return benchmark::Counter(total, benchmark::Counter::kIsRate); }

std::vector<double> random_weights() {
  RandomStream stream(1, "bench.weights");
  std::vector<double> weights(kExamples);
  for (double& weight : weights) weight = stream.uniform();
  return weights;
}

std::vector<double> random_rows(std::size_t num_classes, RandomStream& stream) {
  std::vector<double> weights(kExamples * num_classes);
  stream.uniform(weights);
  return weights;
}

void draw_examples(benchmark::State& state) {
  const std::vector<double> weights = random_weights();
  const WeightedDraw weighted(weights, Workers(1));
  std::uint32_t round = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(weighted.draw(std::uint64_t(state.range(0)), {1, ++round}, 0));
  state.counters["draws/s"] = rate(double(state.iterations() * state.range(0)));
}
BENCHMARK(draw_examples)->Arg(130)->Arg(4160)->Arg(33280);

void exponential_numbers(benchmark::State& state) {
  RandomStream stream(1, "bench.exponential");
  std::vector<float> numbers(kExamples);
  for (auto _ : state) {
    stream.exponential(numbers);
    benchmark::DoNotOptimize(numbers.data());
  }
  state.counters["numbers/s"] = rate(double(state.iterations()) * kExamples);
}
BENCHMARK(exponential_numbers);

// Weights of drawn examples, as the scan wants them.
void round_drawn_rows(benchmark::State& state) {
  const auto num_rows = std::size_t(state.range(1));
  RandomStream stream(1, "bench.rounding");
  const auto num_classes = std::size_t(state.range(0));
  const std::vector<double> weights = random_rows(num_classes, stream);
  const std::vector<std::uint32_t> rows = FeatureOrder(0, kExamples, stream).take(num_rows);
  const std::vector<double> factors(num_rows, 100);
  const Strips strips(num_classes);
  std::vector<std::int16_t> integers(num_rows * strips.num_all_lanes());
  LaneSums sums(strips.num_all_lanes());
  for (auto _ : state) {
    round_rows({weights, num_classes, rows, factors, num_rows}, integers.data(), sums);
    benchmark::DoNotOptimize(integers.data());
    benchmark::ClobberMemory();
  }
  state.counters["rows/s"] = rate(double(state.iterations()) * double(num_rows));
}
BENCHMARK(round_drawn_rows)->ArgNames({"K", "rows"})->Args({10, 1040})->Args({10, 33280})->Args({101, 33280});

void prepare_draws(benchmark::State& state) {
  const std::vector<double> weights = random_weights();
  for (auto _ : state) {
    const WeightedDraw weighted(weights, Workers(1));
    benchmark::DoNotOptimize(&weighted);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(prepare_draws);

// Weights added up by code, for the exact fit of some features.
void sum_by_code(benchmark::State& state) {
  const auto num_classes = std::size_t(state.range(0)), num_features = std::size_t(state.range(1));
  RandomStream stream(1, "bench.cell_sums");
  const std::vector<double> weights = random_rows(num_classes, stream);
  std::vector<std::uint8_t> codes(num_features * kExamples);
  for (auto& code : codes) code = std::uint8_t(stream.below(256));
  std::vector<double> sums(num_features * 256 * num_classes);
  std::vector<ColumnSums> columns;
  for (std::size_t i = 0; i < num_features; ++i)
    columns.push_back({&codes[i * kExamples], &sums[i * 256 * num_classes]});
  for (auto _ : state) {
    add_to_cells({weights, {}, {}, kExamples, num_classes}, columns);
    benchmark::ClobberMemory();
  }
  state.counters["weights/s"] = rate(double(state.iterations()) * double(num_features * weights.size()));
}
BENCHMARK(sum_by_code)->ArgNames({"K", "features"})->ArgsProduct({{1, 10, 101}, {1, 2}});

// A stump on a random half of the examples, with random votes.
WeakHypothesis random_hypothesis(std::size_t num_examples, std::size_t num_classes, RandomStream& stream) {
  WeakHypothesis hypothesis;
  hypothesis.edge = 0.1;
  hypothesis.model.alpha = 0.1;
  for (std::size_t l = 0; l < num_classes; ++l) hypothesis.model.votes.push_back(stream.below(2) ? 1 : -1);
  hypothesis.votes = cell_votes(hypothesis.model);
  hypothesis.cells.resize(num_examples);
  for (auto& cell : hypothesis.cells) cell = std::uint8_t(stream.below(2));
  return hypothesis;
}

// Scores of test examples from the answers of many stumps.
void add_to_scores(benchmark::State& state) {
  constexpr std::size_t kTest = 10000, kStumps = 64;
  const auto num_classes = std::size_t(state.range(0));
  RandomStream stream(1, "bench.scores");
  std::vector<WeakHypothesis> hypotheses;
  for (std::size_t t = 0; t < kStumps; ++t)
    hypotheses.push_back(random_hypothesis(kTest, num_classes, stream));
  const Workers workers(1);
  for (auto _ : state) {
    state.PauseTiming();
    Scores scores(kTest, num_classes, workers);
    auto cells = hypotheses;
    state.ResumeTiming();
    for (WeakHypothesis& hypothesis : cells)
      scores.add(std::move(hypothesis.cells), hypothesis.votes, hypothesis.model.alpha);
    scores.settle();
    benchmark::DoNotOptimize(scores.all().data());
  }
  state.counters["answers/s"] = rate(double(state.iterations()) * kTest * kStumps);
}
BENCHMARK(add_to_scores)->ArgName("K")->Arg(10)->Arg(101);

}  // namespace
}  // namespace mash
