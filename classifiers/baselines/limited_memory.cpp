// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/limited_memory.hpp"

#include <utility>

namespace mash {
namespace {

void add_times(double factor, std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t kLanes = 16;
  double sums[kLanes] = {};
  const std::size_t whole = a.size() / kLanes * kLanes;
  for (std::size_t first = 0; first < whole; first += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += a[first + k] * b[first + k];
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += a[i] * b[i];
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

void LimitedMemory::add(std::vector<double> step, std::vector<double> change) {
  const double rise = dot(step, change);
  if (rise <= 1e-12 * dot(change, change)) return;
  if (pairs_.size() == kMostPairs) pairs_.pop_front();
  pairs_.push_back({std::move(step), std::move(change), 1 / rise});
}

std::vector<double> LimitedMemory::direction(std::span<const double> gradient) const {
  std::vector<double> found(gradient.begin(), gradient.end());
  std::vector<double> factors(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    factors[k] = pairs_[k].inverse * dot(pairs_[k].step, found);
    add_times(-factors[k], pairs_[k].change, found);
  }
  if (!pairs_.empty()) {
    const Pair& last = pairs_.back();
    const double scale = 1 / (last.inverse * dot(last.change, last.change));
    for (double& x : found) x *= scale;
  }
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    add_times(factors[k] - pairs_[k].inverse * dot(pairs_[k].change, found), pairs_[k].step, found);
  for (double& x : found) x = -x;
  return found;
}

void LimitedMemory::keep(StateWriter& writer) const {
  writer.add(pairs_.size());
  for (const Pair& pair : pairs_) {
    writer.add_counted(pair.step);
    writer.add_counted(pair.change);
    writer.add(pair.inverse);
  }
}

void LimitedMemory::take_back(StateReader& reader) {
  pairs_.clear();
  for (auto left = reader.next<std::size_t>(); left > 0; --left) {
    const auto step = reader.next_counted(), change = reader.next_counted();
    pairs_.push_back({{step.begin(), step.end()}, {change.begin(), change.end()}, reader.next()});
  }
}

}  // namespace mash
