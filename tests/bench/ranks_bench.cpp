// SPDX-License-Identifier: Apache-2.0
//
// Ranks of a board of 1,000 entries, 16 seeds and 12,000 judging pictures: from products that are kept, with
// one entry more, and from nothing; one thread.
#include <benchmark/benchmark.h>

#include <cmath>

#include "framework/base/loss_sums.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kSeeds = 16, kPictures = 12'000;

// Gains of which half are 0 and half N(2, 2), with errors as on the demo.
LossSums sums_of_entry(std::uint64_t number) {
  RandomStream random(number, "bench.ranks");
  const double gain = number % 2 == 0 ? 0 : 2 + 2 * random.normal(), loss = std::exp(-gain / 100);
  LossSums sums;
  for (std::size_t s = 0; s < kSeeds; ++s)
    sums.of_seeds.push_back(loss * double(kPictures) * (1 + .009 * random.normal()));
  for (std::size_t n = 0; n < kPictures; ++n)
    sums.of_examples.push_back(loss * double(kSeeds) * (1 + .1 * random.normal()));
  return sums;
}

LossTable table_of(std::size_t num_entries) {
  LossTable table;
  for (std::size_t i = 0; i < num_entries; ++i) table.put(i, sums_of_entry(i));
  return table;
}

void rank_sets_from_products(benchmark::State& state) {
  const auto num_entries = std::size_t(state.range(0));
  const LossTable table = table_of(num_entries);
  for (auto _ : state)
    benchmark::DoNotOptimize(rank_sets(
        num_entries, [&](std::size_t i, std::size_t j) { return table.difference(i, j); }, .01));
}
BENCHMARK(rank_sets_from_products)->ArgName("entries")->Arg(50)->Arg(1000)->Unit(benchmark::kMillisecond);

void one_entry_more(benchmark::State& state) {
  const auto num_entries = std::size_t(state.range(0));
  LossTable table = table_of(num_entries);
  const LossSums sums = sums_of_entry(num_entries);
  for (auto _ : state) table.put(num_entries, sums);
}
BENCHMARK(one_entry_more)->ArgName("entries")->Arg(1000)->Unit(benchmark::kMillisecond);

void products_from_nothing(benchmark::State& state) {
  std::vector<LossSums> sums;
  for (std::size_t i = 0; i < std::size_t(state.range(0)); ++i) sums.push_back(sums_of_entry(i));
  for (auto _ : state) {
    LossTable table;
    for (std::size_t i = 0; i < sums.size(); ++i) table.put(i, sums[i]);
    benchmark::DoNotOptimize(table.size());
  }
}
BENCHMARK(products_from_nothing)->ArgName("entries")->Arg(1000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mash
