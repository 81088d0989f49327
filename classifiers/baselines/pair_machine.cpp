// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/pair_machine.hpp"

#include <algorithm>
#include <limits>

namespace mash {
namespace {

constexpr double kLeastCurvature = 1e-12;
constexpr std::size_t kRowsOfPiece = 1024;  // of kernel values, the work of one thread
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

KernelCache::KernelCache(const NumberRows& rows, const RowRange& first, const RowRange& second,
                         const Kernel& kernel, std::size_t num_bytes)
    : rows_(rows), first_(first), second_(second), kernel_(kernel) {
  most_rows_ = std::max<std::size_t>(2, num_bytes / (std::max<std::size_t>(size(), 1) * sizeof(float)));
}

std::span<const float> KernelCache::row(std::size_t i, const Workers& workers) {
  const auto found = kept_.find(i);
  if (found != kept_.end()) {
    order_.splice(order_.begin(), order_, found->second.place);
    return found->second.values;
  }
  if (kept_.size() == most_rows_) {
    kept_.erase(order_.back());
    order_.pop_back();
  }
  order_.push_front(i);
  return kept_.emplace(i, Kept{computed(i, workers), order_.begin()}).first->second.values;
}

double KernelCache::diagonal(std::size_t i) const {
  double value = 0;
  kernel_values(kernel_, rows_, row_of(i), rows_, row_of(i), &value);
  return value;
}

void KernelCache::clear() {
  kept_.clear();
  order_.clear();
}

std::vector<float> KernelCache::computed(std::size_t i, const Workers& workers) const {
  std::vector<float> row(size());
  std::size_t begin = 0;
  for (const RowRange& range : {first_, second_}) {
    workers.for_ranges(range.count, kRowsOfPiece, [&](std::size_t from, std::size_t to) {
      std::vector<double> values(to - from);
      kernel_values(kernel_, rows_, row_of(i), rows_, {range.first + from, to - from}, values.data());
      std::copy(values.begin(), values.end(), row.begin() + std::ptrdiff_t(begin + from));
    });
    begin += range.count;
  }
  return row;
}

PairMachine::PairMachine(KernelCache cache, std::vector<double> costs, double tolerance)
    : cache_(std::move(cache)),
      costs_(std::move(costs)),
      tolerance_(tolerance),
      dual_(costs_.size()),
      gradient_(costs_.size(), -1.0) {
  for (std::size_t i = 0; i < costs_.size(); ++i) diagonal_.push_back(cache_.diagonal(i));
}

void PairMachine::step(const Workers& workers) {
  const auto i = steepest();
  const auto row = i ? cache_.row(*i, workers) : std::span<const float>();
  const auto j = i ? partner_of(*i, row) : std::nullopt;
  if (!j) {
    has_ended_ = true;
    return;
  }
  const double curvature = std::max(diagonal_[*i] + diagonal_[*j] - 2 * double(row[*j]), kLeastCurvature);
  const auto [by_i, by_j] = move(*i, *j, curvature);
  const auto other = cache_.row(*j, workers);
  const double factor_i = target(*i) * by_i, factor_j = target(*j) * by_j;
  for (std::size_t k = 0; k < cache_.num_first(); ++k)
    gradient_[k] += factor_i * double(row[k]) + factor_j * double(other[k]);
  for (std::size_t k = cache_.num_first(); k < gradient_.size(); ++k)
    gradient_[k] -= factor_i * double(row[k]) + factor_j * double(other[k]);
  ++num_steps_;
}

std::vector<double> PairMachine::coefficients() const {
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < dual_.size(); ++i) coefficients.push_back(target(i) * dual_[i]);
  return coefficients;
}

// The mean of -y gradient over the examples within their bounds, or the middle of what the others allow.
double PairMachine::bias() const {
  double sum = 0, lowest = -kInfinite, highest = kInfinite;
  std::size_t num_free = 0;
  for (std::size_t i = 0; i < dual_.size(); ++i) {
    const double level = -target(i) * gradient_[i];
    if (is_up(i) && is_down(i)) {
      sum += level;
      ++num_free;
    } else if (is_up(i)) {
      lowest = std::max(lowest, level);
    } else {
      highest = std::min(highest, level);
    }
  }
  return num_free > 0 ? sum / double(num_free) : (lowest + highest) / 2;
}

void PairMachine::keep(StateWriter& writer) const {
  writer.add_all(dual_);
  writer.add_all(gradient_);
  writer.add(num_steps_, has_ended_);
}

void PairMachine::take_back(StateReader& reader) {
  for (std::vector<double>* numbers : {&dual_, &gradient_}) {
    const auto kept = reader.next_all(numbers->size());
    std::copy(kept.begin(), kept.end(), numbers->begin());
  }
  num_steps_ = reader.next<std::uint64_t>();
  has_ended_ = reader.next<bool>();
}

std::optional<std::size_t> PairMachine::steepest() const {
  std::optional<std::size_t> best;
  double largest = -kInfinite;
  for (std::size_t i = 0; i < dual_.size(); ++i) {
    const double level = -target(i) * gradient_[i];
    if (!is_up(i) || level <= largest) continue;
    largest = level;
    best = i;
  }
  return best;
}

std::optional<std::size_t> PairMachine::partner_of(std::size_t i, std::span<const float> row) const {
  const double largest = -target(i) * gradient_[i];
  std::optional<std::size_t> best;
  double smallest = kInfinite, most_gain = 0;
  for (std::size_t j = 0; j < dual_.size(); ++j) {
    if (!is_down(j)) continue;
    const double level = -target(j) * gradient_[j], slope = largest - level;
    smallest = std::min(smallest, level);
    if (slope <= 0) continue;
    const double gain =
        slope * slope / std::max(diagonal_[i] + diagonal_[j] - 2 * double(row[j]), kLeastCurvature);
    if (gain <= most_gain) continue;
    most_gain = gain;
    best = j;
  }
  return largest - smallest < tolerance_ ? std::nullopt : best;
}

std::pair<double, double> PairMachine::move(std::size_t i, std::size_t j, double curvature) {
  // y_i a_i grows by `length`, and y_j a_j shrinks by it.
  const double wanted = (-target(i) * gradient_[i] + target(j) * gradient_[j]) / curvature;
  const double room_i = target(i) > 0 ? costs_[i] - dual_[i] : dual_[i];
  const double room_j = target(j) > 0 ? dual_[j] : costs_[j] - dual_[j];
  const double before_i = dual_[i], before_j = dual_[j];
  const double length = std::min({wanted, room_i, room_j});
  // At a bound the number is the bound, not only near it.
  dual_[i] = length < room_i ? dual_[i] + target(i) * length : target(i) > 0 ? costs_[i] : 0;
  dual_[j] = length < room_j ? dual_[j] - target(j) * length : target(j) > 0 ? 0 : costs_[j];
  return {dual_[i] - before_i, dual_[j] - before_j};
}

}  // namespace mash
