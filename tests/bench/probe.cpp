// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/probe.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "framework/base/progress.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/probe.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds to rows of kLanes numbers in turn, each with the widest vector that fits it.
template <std::size_t kLanes>
void add_rows_of(std::int16_t* sums, std::size_t num_sums) {
  const hn::CappedTag<std::int16_t, kLanes> d;
  const auto one = hn::Set(d, 1);
  for (std::size_t i = 0; i < num_sums; i += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), one), d, sums + i);
}

void add_rows(std::int16_t* sums, std::size_t num_sums, std::size_t num_lanes) {
  if (num_lanes == 4) return add_rows_of<4>(sums, num_sums);
  if (num_lanes == 8) return add_rows_of<8>(sums, num_sums);
  add_rows_of<16>(sums, num_sums);
}

}  // namespace mash::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash::bench {
namespace {

HWY_EXPORT(add_rows);

double measure(std::size_t num_lanes) {
  constexpr std::size_t kSums = 8192;  // 16 KiB
  constexpr int kRepeats = 20000;
  std::vector<std::int16_t> sums(kSums);
  double best = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Stopwatch watch;
    for (int i = 0; i < kRepeats; ++i) HWY_DYNAMIC_DISPATCH(add_rows)(sums.data(), kSums, num_lanes);
    best = std::max(best, kRepeats * double(kSums) / double(num_lanes) / watch.seconds());
  }
  return best;
}

}  // namespace

double added_rows_per_second(std::size_t num_lanes) {
  static std::map<std::size_t, double> rates;
  const auto [rate, is_new] = rates.try_emplace(num_lanes);
  if (is_new) rate->second = measure(num_lanes);
  return rate->second;
}

}  // namespace mash::bench
#endif
