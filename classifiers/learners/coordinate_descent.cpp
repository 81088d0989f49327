// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace mash {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoGradient = 1e-12;

}  // namespace

CoordinateDescent::CoordinateDescent(const StandardRows& rows, std::span<const double> squares,
                                     std::vector<std::int8_t> targets, std::span<const double> weights,
                                     HingeLoss loss)
    : rows_(rows), loss_(loss), targets_(std::move(targets)), squares_(squares), sum_(rows.empty_sum()) {
  weigh_more(weights);
}

void CoordinateDescent::weigh_more(std::span<const double> weights) {
  std::vector<Example> examples;
  for (std::uint32_t n = 0, k = 0; n < weights.size(); ++n)
    if (k < examples_.size() && examples_[k].row == n)
      examples.push_back(examples_[k++]);
    else if (weights[n] > 0)
      examples.push_back({squares_[n], weights[n], 0, n, targets_[n]});
  examples_ = std::move(examples);
}

std::vector<double> CoordinateDescent::dual() const {
  std::vector<double> dual;
  for (const Example& example : examples_) dual.push_back(example.dual);
  return dual;
}

bool CoordinateDescent::solve(double cost, const DescentLimits& limits, RandomStream stream,
                              const StopFlag& stop) {
  constexpr Bounds kNothingKnown{-kInfinity, kInfinity};
  std::vector<std::uint32_t> active(examples_.size());
  std::iota(active.begin(), active.end(), 0u);
  std::size_t num_active = active.size();
  Bounds before = kNothingKnown;
  for (std::uint32_t pass_idx = 0; pass_idx < limits.num_passes && !stop.raised(); ++pass_idx) {
    stream.shuffle(std::span(active).first(num_active));
    const Bounds found = pass(cost, before, active, num_active);
    if (found.highest - found.lowest > limits.tolerance) {
      before = {found.lowest < 0 ? found.lowest : -kInfinity, found.highest > 0 ? found.highest : kInfinity};
    } else if (num_active == active.size()) {
      return true;
    } else {  // now with those that were passed over
      num_active = active.size();
      before = kNothingKnown;
    }
  }
  return false;
}

CoordinateDescent::Bounds CoordinateDescent::pass(double cost, const Bounds& before,
                                                  std::vector<std::uint32_t>& active,
                                                  std::size_t& num_active) {
  Bounds found{0, 0};  // 0 too: at the end all are 0, and not only equal
  for (std::size_t i = 0; i < num_active; ++i) {
    if (i + 2 < num_active) __builtin_prefetch(&examples_[active[i + 2]]);
    if (i + 1 < num_active) rows_.fetch_ahead(examples_[active[i + 1]].row);
    Example& example = examples_[active[i]];
    const double weight = cost * example.weight;
    const double most = loss_ == HingeLoss::kHinge ? weight : kInfinity;
    const double diagonal = loss_ == HingeLoss::kHinge ? 0 : 0.5 / weight;
    const double gradient = example.target * score(example.row) - 1 + example.dual * diagonal;
    const bool is_lowest = example.dual == 0, is_highest = example.dual == most;
    if ((is_lowest && gradient > before.highest) || (is_highest && gradient < before.lowest)) {
      std::swap(active[i--], active[--num_active]);
      continue;
    }
    const double projected = is_lowest    ? std::min(gradient, 0.0)
                             : is_highest ? std::max(gradient, 0.0)
                                          : gradient;
    found = {std::min(found.lowest, projected), std::max(found.highest, projected)};
    if (std::abs(projected) <= kNoGradient) continue;
    const double moved = std::clamp(example.dual - gradient / (example.square + 1 + diagonal), 0.0, most);
    rows_.add(example.row, example.target * (moved - std::exchange(example.dual, moved)), sum_);
  }
  return found;
}

}  // namespace mash
