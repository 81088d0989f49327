// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/advisory.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include "framework/base/hash.hpp"
#include "framework/checks/bench.hpp"

namespace mash::checks {
namespace {

constexpr double kMaxMicrosecondsPerFeature = 10;
constexpr std::uint32_t kMaxUsefulDim = 100'000;
constexpr double kMaxMagnitude = 1e6;

// columns[feature][picture], of the first features where there are very many.
struct Sample {
  std::vector<std::vector<float>> columns;
  std::size_t num_pictures = 0;
};

Result<Sample> take_sample(Bench& bench) {
  constexpr std::size_t kNumDigits = 40, kNumNoise = 8;
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(size));
  std::vector<std::uint32_t> indices(std::min(dim, kMaxUsefulDim));
  std::iota(indices.begin(), indices.end(), 0u);
  Sample sample{std::vector<std::vector<float>>(indices.size()), kNumDigits + kNumNoise};
  for (std::size_t i = 0; i < sample.num_pictures; ++i) {
    const bool is_digit = i < kNumDigits;
    const Pixels pixels =
        is_digit ? digit(bench.seed(), i, size) : noise(bench.seed() + i, size, i % 2 == 0 ? 1 : 3);
    MASH_ASSIGN(const auto values, runner->features(Picture(pixels), indices));
    for (std::size_t f = 0; f < values.size(); ++f) sample.columns[f].push_back(values[f]);
  }
  return sample;
}

// The part of the features at which a warning begins.
constexpr double kMuch = 0.1;
Outcome outcome_for(std::size_t num_bad, std::size_t num_features) {
  return double(num_bad) > kMuch * double(num_features) ? Outcome::kWarn : Outcome::kPass;
}

std::size_t num_distinct(const std::vector<float>& column) {
  return std::set(column.begin(), column.end()).size();
}

Result<Finding> check_constant(Bench& bench) {
  MASH_ASSIGN(const Sample sample, take_sample(bench));
  std::size_t num_constant = 0, first = 0;
  for (std::size_t f = 0; f < sample.columns.size(); ++f)
    if (num_distinct(sample.columns[f]) == 1 && num_constant++ == 0) first = f;
  if (num_constant == 0)
    return finding(Outcome::kPass, "none of {} over {} pictures", sample.columns.size(), sample.num_pictures);
  return finding(outcome_for(num_constant, sample.columns.size()),
                 "{} of {} over {} pictures, feature {} for one", num_constant, sample.columns.size(),
                 sample.num_pictures, first);
}

Result<Finding> check_duplicates(Bench& bench) {
  MASH_ASSIGN(const Sample sample, take_sample(bench));
  std::map<std::uint64_t, std::size_t> first_with;
  std::size_t num_duplicates = 0;
  std::pair<std::size_t, std::size_t> pair;
  for (std::size_t f = 0; f < sample.columns.size(); ++f) {
    const auto [other, is_new] = first_with.emplace(checksum(std::as_bytes(std::span(sample.columns[f]))), f);
    if (!is_new && num_duplicates++ == 0) pair = {other->second, f};
  }
  if (num_duplicates == 0)
    return finding(Outcome::kPass, "none among {} over {} pictures", sample.columns.size(),
                   sample.num_pictures);
  return finding(outcome_for(num_duplicates, sample.columns.size()),
                 "{} of {} over {} pictures, feature {} is {} for one", num_duplicates, sample.columns.size(),
                 sample.num_pictures, pair.second, pair.first);
}

Result<Finding> check_distinct(Bench& bench) {
  MASH_ASSIGN(const Sample sample, take_sample(bench));
  std::size_t num_coarse = 0, first = 0;
  for (std::size_t f = 0; f < sample.columns.size(); ++f)
    if (num_distinct(sample.columns[f]) == 2 && num_coarse++ == 0) first = f;
  if (num_coarse == 0)
    return finding(Outcome::kPass, "{} features over {} pictures", sample.columns.size(),
                   sample.num_pictures);
  return finding(outcome_for(num_coarse, sample.columns.size()),
                 "{} of {} have two values over {} pictures, feature {} for one", num_coarse,
                 sample.columns.size(), sample.num_pictures, first);
}

Result<Finding> check_dim(Bench& bench) {
  MASH_ASSIGN(const mash_size_t size, bench.usual_size());
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(size));
  return finding(dim > kMaxUsefulDim ? Outcome::kWarn : Outcome::kPass,
                 "{} features for {}x{} pixels; limit {}", dim, size.width, size.height, kMaxUsefulDim);
}

Result<Finding> check_range(Bench& bench) {
  MASH_ASSIGN(const Sample sample, take_sample(bench));
  float lowest = 0, highest = 0;
  std::size_t num_beyond = 0, first = 0;
  for (std::size_t f = 0; f < sample.columns.size(); ++f) {
    const auto [low, high] = std::minmax_element(sample.columns[f].begin(), sample.columns[f].end());
    lowest = std::min(lowest, *low);
    highest = std::max(highest, *high);
    if ((*low < -kMaxMagnitude || *high > kMaxMagnitude) && num_beyond++ == 0) first = f;
  }
  if (num_beyond == 0) return finding(Outcome::kPass, "from {:.4g} to {:.4g}", lowest, highest);
  return finding(Outcome::kWarn, "{} features go beyond {:.0e}, feature {} for one; from {:.4g} to {:.4g}",
                 num_beyond, kMaxMagnitude, first, lowest, highest);
}

Result<Finding> check_cost(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const auto values, runner->features(Picture(pictures[0])));
  MASH_ASSIGN(const auto nanoseconds, times_of(bench, std::span(pictures).last(1), 5, 1));
  const double best = 1e-3 * std::ranges::min(nanoseconds) / double(values.size());
  return finding(best > kMaxMicrosecondsPerFeature ? Outcome::kWarn : Outcome::kPass,
                 "{:.3g} us a feature and picture, {} features; limit {} us", best, values.size(),
                 kMaxMicrosecondsPerFeature);
}

constexpr Check kAdvisoryChecks[] = {
    {"advisory.constant", Level::kAdvisory, Outcome::kWarn, "at most a tenth of the features never change",
     "Leave out features that are the same for every picture: they are offered, drawn and never chosen.",
     check_constant},
    {"advisory.duplicates", Level::kAdvisory, Outcome::kWarn,
     "at most a tenth of the features repeat another",
     "Leave out features that equal another on every picture.", check_duplicates},
    {"advisory.distinct", Level::kAdvisory, Outcome::kWarn,
     "at most a tenth of the features have two values only",
     "Give the number behind the decision instead of a yes or no: the booster finds the threshold.",
     check_distinct},
    {"advisory.dim", Level::kAdvisory, Outcome::kWarn, "at most 100,000 features for the usual size",
     "Offer fewer features, or a parameter that thins them out: the feature store holds a byte for each and "
     "picture.",
     check_dim},
    {"advisory.range", Level::kAdvisory, Outcome::kWarn, "values stay within a million of 0",
     "Divide by the number of pixels or by the largest possible value.", check_range},
    {"advisory.cost", Level::kAdvisory, Outcome::kWarn, "a feature costs at most 10 us a picture",
     "Share work between features in prepare, or offer more features for what it costs.", check_cost},
};

}  // namespace

std::span<const Check> advisory_checks() { return kAdvisoryChecks; }

}  // namespace mash::checks
