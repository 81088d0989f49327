// SPDX-License-Identifier: Apache-2.0
//
// A round of GEEM for one class, in its parts and as a whole, for n = r + q examples with r = q: that it
// costs O(n^3 + q n^2). The features are 784, as many as MNIST has pixels, most of them 0 in most examples.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "classifiers/reservoir/edge_covariance.hpp"
#include "classifiers/reservoir/greedy_removal.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr double kLambda = 1e-3;

struct Workload {
  explicit Workload(std::size_t num_examples)
      : codes(784 * num_examples), signs(num_examples), weights(num_examples), ties(num_examples) {
    RandomStream stream(1, "bench");
    for (auto& code : codes) code = stream.uniform() < 0.81 ? 0 : std::uint8_t(stream.below(256));
    for (auto& sign : signs) sign = stream.below(10) == 0 ? 1 : -1;
    for (double& weight : weights) weight = stream.uniform();
    for (auto& tie : ties) tie = stream.next_u64();
  }

  SymmetricMatrix covariance() const { return edge_covariance(codes, signs); }
  SymmetricMatrix inverse() const { return regularised_inverse(covariance(), kLambda).value(); }
  RemovalInput removal() const { return {weights, ties}; }

  std::vector<std::uint8_t> codes;
  std::vector<std::int8_t> signs;
  std::vector<double> weights;
  std::vector<std::uint64_t> ties;
};

void covariance(benchmark::State& state) {
  const Workload work(std::size_t(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(work.covariance());
  state.SetLabel(instruction_set());
  state.SetComplexityN(state.range(0));
}

void inverse(benchmark::State& state) {
  const SymmetricMatrix covariance = Workload(std::size_t(state.range(0))).covariance();
  for (auto _ : state) benchmark::DoNotOptimize(regularised_inverse(covariance, kLambda));
  state.SetComplexityN(state.range(0));
}

void removals(benchmark::State& state) {
  const Workload work(std::size_t(state.range(0)));
  const SymmetricMatrix inverse = work.inverse();
  for (auto _ : state) benchmark::DoNotOptimize(remove_greedily(inverse, work.removal(), inverse.size / 2));
  state.SetComplexityN(state.range(0));
}

void round_of_geem(benchmark::State& state) {
  const Workload work(std::size_t(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(remove_greedily(work.inverse(), work.removal(), work.signs.size() / 2));
  state.SetLabel(instruction_set());
  state.SetComplexityN(state.range(0));
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgName("n")->Unit(benchmark::kMillisecond);
  for (const std::int64_t size : {100, 200, 500, 1000}) b->Arg(size);
}
BENCHMARK(covariance)->Apply(sizes)->Complexity(benchmark::oNSquared);
BENCHMARK(inverse)->Apply(sizes)->Complexity(benchmark::oNCubed);
BENCHMARK(removals)->Apply(sizes)->Complexity(benchmark::oNCubed);  // q n^2 with q = n / 2
BENCHMARK(round_of_geem)->Apply(sizes)->Complexity(benchmark::oNCubed);

// n is the same, and q grows: what P loses to those that went is computed for those that are still there.
constexpr std::size_t kExamples = 1000;
double multiplications(benchmark::IterationCount num_removed) {
  const auto q = double(num_removed);
  return q * q * (double(kExamples) / 2 - q / 3);
}
void removals_of_1000(benchmark::State& state) {
  const Workload work(kExamples);
  const SymmetricMatrix inverse = work.inverse();
  for (auto _ : state)
    benchmark::DoNotOptimize(remove_greedily(inverse, work.removal(), std::size_t(state.range(0))));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(removals_of_1000)
    ->ArgName("q")
    ->Unit(benchmark::kMillisecond)
    ->Arg(100)
    ->Arg(200)
    ->Arg(500)
    ->Arg(800)
    ->Complexity(multiplications);

}  // namespace
}  // namespace mash
