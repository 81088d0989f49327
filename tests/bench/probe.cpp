// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/probe.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/probe.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef MASH_PROBE_ROWS  // this file is read once for each instruction set
#define MASH_PROBE_ROWS
namespace mash::bench {
namespace {

// Data of the adders: weights that fit into the first-level cache together with the sums.
struct Rows {
  static constexpr std::size_t kRows = 256, kMaxFeatures = 4, kMaxLanes = 16, kCodes = 256;
  std::vector<std::int16_t> weights;
  std::vector<std::uint8_t> codes;
};

}  // namespace
}  // namespace mash::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds the weights of each row to one row of sums of each feature, with the widest vectors that fit.
template <std::size_t kLanes, std::size_t kFeatures>
void add_rows_of(const Rows& rows, std::int16_t* HWY_RESTRICT sums) {
  const hn::CappedTag<std::int16_t, kLanes> d;
  const std::int16_t* HWY_RESTRICT weights = rows.weights.data();
  const std::uint8_t* HWY_RESTRICT codes = rows.codes.data();
  for (std::size_t r = 0; r < Rows::kRows; ++r, weights += kLanes)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const auto row = hn::LoadU(d, weights + lane);
      for (std::size_t g = 0; g < kFeatures; ++g) {
        std::int16_t* bin = sums + (g * Rows::kCodes + codes[g * Rows::kRows + r]) * kLanes + lane;
        hn::StoreU(hn::Add(hn::LoadU(d, bin), row), d, bin);
      }
    }
}

template <std::size_t kLanes>
void add_rows_of(const Rows& rows, std::size_t num_features, std::int16_t* sums) {
  if (num_features == 1) return add_rows_of<kLanes, 1>(rows, sums);
  if (num_features == 2) return add_rows_of<kLanes, 2>(rows, sums);
  add_rows_of<kLanes, 4>(rows, sums);
}

void add_rows(const Rows& rows, std::size_t num_lanes, std::size_t num_features, std::int16_t* sums) {
  if (num_lanes == 4) return add_rows_of<4>(rows, num_features, sums);
  if (num_lanes == 8) return add_rows_of<8>(rows, num_features, sums);
  add_rows_of<16>(rows, num_features, sums);
}

// Clears the sums of all codes, and takes the magnitudes of the differences after each code, lane by lane.
// The search for the best cut also adds up the lanes and compares.
template <std::size_t kLanes>
void walk_codes_of(std::int16_t* HWY_RESTRICT sums, std::int16_t* HWY_RESTRICT magnitudes) {
  const hn::CappedTag<std::int16_t, kLanes> d;
  std::fill_n(sums, Rows::kCodes * kLanes, 0);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto difference = hn::LoadU(d, magnitudes + lane), sum = hn::Zero(d);
    for (std::size_t code = 0; code < Rows::kCodes; ++code) {
      const auto bin = hn::LoadU(d, sums + code * kLanes + lane);
      sum = hn::Add(sum, hn::Abs(difference));
      difference = hn::Sub(difference, hn::Add(bin, bin));
    }
    hn::StoreU(sum, d, magnitudes + lane);
  }
}

void walk_codes(std::size_t num_lanes, std::int16_t* sums, std::int16_t* magnitudes) {
  if (num_lanes == 4) return walk_codes_of<4>(sums, magnitudes);
  if (num_lanes == 8) return walk_codes_of<8>(sums, magnitudes);
  walk_codes_of<16>(sums, magnitudes);
}

std::size_t vectors_per_row(std::size_t num_lanes) {
  const std::size_t widest = hn::Lanes(hn::ScalableTag<std::int16_t>());
  return (num_lanes + widest - 1) / widest;
}

}  // namespace mash::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash::bench {
namespace {

HWY_EXPORT(add_rows);
HWY_EXPORT(walk_codes);
HWY_EXPORT(vectors_per_row);

// How often per second a body runs, at best.
double times_per_second(const std::function<void()>& body) {
  constexpr int kTrials = 10, kRepeats = 5000;
  double best = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Stopwatch watch;
    for (int i = 0; i < kRepeats; ++i) body();
    best = std::max(best, kRepeats / watch.seconds());
  }
  return best;
}

// Rows per second with that number of features to a pass.
double measure(std::size_t num_lanes, std::size_t num_features) {
  RandomStream stream(1, "bench.probe");
  Rows rows{std::vector<std::int16_t>(Rows::kRows * Rows::kMaxLanes, 1), {}};
  for (std::size_t i = 0; i < Rows::kRows * Rows::kMaxFeatures; ++i)
    rows.codes.push_back(std::uint8_t(stream.below(Rows::kCodes)));
  std::vector<std::int16_t> sums(Rows::kMaxFeatures * Rows::kCodes * Rows::kMaxLanes);
  return double(Rows::kRows * num_features) * times_per_second([&] {
           HWY_DYNAMIC_DISPATCH(add_rows)(rows, num_lanes, num_features, sums.data());
         });
}

// Sums of which each needs the one before. The compiler must neither merge them nor keep them in memory.
constexpr std::size_t kDependentAdds = 4096;
void add_dependently(std::uint64_t& total, std::uint64_t step) {
  std::uint64_t sum = total;
  for (std::size_t i = 0; i < kDependentAdds; i += 4) {
    sum += step;
    asm volatile("" : "+r"(sum));
    sum += step;
    asm volatile("" : "+r"(sum));
    sum += step;
    asm volatile("" : "+r"(sum));
    sum += step;
    asm volatile("" : "+r"(sum));
  }
  total = sum;
}

}  // namespace

double cycles_per_second() {
  static const double rate = [] {
    // A step in a register: some processors add small constants without taking a cycle.
    std::uint64_t total = 0, step = 1;
    asm volatile("" : "+r"(step));
    return double(kDependentAdds) * times_per_second([&] { add_dependently(total, step); });
  }();
  return rate;
}

double stored_rows_per_second(std::size_t num_lanes) {
  return cycles_per_second() / double(HWY_DYNAMIC_DISPATCH(vectors_per_row)(num_lanes));
}

double added_rows_per_second(std::size_t num_lanes) {
  static std::map<std::size_t, double> rates;
  const auto [rate, is_new] = rates.try_emplace(num_lanes);
  if (is_new)
    for (const std::size_t num_features : {1, 2, 4})
      rate->second = std::max(rate->second, measure(num_lanes, num_features));
  return rate->second;
}

double walks_per_second(std::size_t num_lanes) {
  static std::map<std::size_t, double> rates;
  const auto [rate, is_new] = rates.try_emplace(num_lanes);
  if (is_new) {
    std::vector<std::int16_t> sums(Rows::kCodes * Rows::kMaxLanes), magnitudes(Rows::kMaxLanes, 1);
    rate->second = times_per_second([&] {
      HWY_DYNAMIC_DISPATCH(walk_codes)(num_lanes, sums.data(), magnitudes.data());
    });
  }
  return rate->second;
}

}  // namespace mash::bench
#endif
