// SPDX-License-Identifier: Apache-2.0
//
// Ranks of a board of 1,000 entries, 16 seeds and 12,000 judging pictures on one thread: all sets from
// products that are kept (to take at most 100 ms), with one entry more, which is its row of products (50 ms),
// and from the sums alone (10 s). Reading the sums from the records is not part of it. `share` is the time as
// a share of what it may take.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>

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

SeedLevels levels_of(const std::vector<LossSums>& sums) {
  SeedLevels levels;
  for (std::size_t i = 0; i < sums.size(); ++i) levels.put(std::int64_t(i), sums[i]);
  return levels;
}

std::vector<LossSums> sums_of_entries(std::size_t num_entries) {
  std::vector<LossSums> sums;
  for (std::size_t i = 0; i < num_entries; ++i) sums.push_back(sums_of_entry(i));
  return sums;
}

std::vector<RankSet> sets_of(const SeedLevels& levels, std::size_t num_entries) {
  std::vector<std::int64_t> entries(num_entries);
  std::iota(entries.begin(), entries.end(), std::int64_t(0));
  return rank_sets(num_entries, levels.among(entries), .01);
}

// The time of an iteration as a share of these seconds.
void set_share(benchmark::State& state, double seconds) {
  using benchmark::Counter;
  state.counters["share"] =
      Counter(seconds, Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
}

void rank_sets_from_products(benchmark::State& state) {
  const auto num_entries = std::size_t(state.range(0));
  const SeedLevels levels = levels_of(sums_of_entries(num_entries));
  for (auto _ : state) benchmark::DoNotOptimize(sets_of(levels, num_entries));
  set_share(state, .1);
}
BENCHMARK(rank_sets_from_products)->ArgName("entries")->Arg(50)->Arg(1000)->Unit(benchmark::kMillisecond);

void one_entry_more(benchmark::State& state) {
  const auto num_entries = std::size_t(state.range(0));
  SeedLevels levels = levels_of(sums_of_entries(num_entries));
  const LossSums sums = sums_of_entry(num_entries);
  for (auto _ : state) levels.put(std::int64_t(num_entries), sums);
  set_share(state, .05);
}
BENCHMARK(one_entry_more)->ArgName("entries")->Arg(1000)->Unit(benchmark::kMillisecond);

void rank_sets_from_nothing(benchmark::State& state) {
  const std::vector<LossSums> sums = sums_of_entries(std::size_t(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sets_of(levels_of(sums), sums.size()));
  set_share(state, 10);
}
BENCHMARK(rank_sets_from_nothing)
    ->ArgName("entries")
    ->Arg(1000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mash
