// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "framework/base/random.hpp"

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

void CoordinateDescent::begin(double cost, const DescentLimits& limits, std::uint64_t order_key) {
  search_ = {.cost = cost, .limits = limits, .order_key = order_key, .before = {-kInfinity, kInfinity}};
  search_.order.resize(examples_.size());
  std::iota(search_.order.begin(), search_.order.end(), 0u);
  search_.num_active = examples_.size();
}

void CoordinateDescent::pass() {
  RandomStream stream(search_.order_key, "coordinate_descent.order", search_.num_passes);
  stream.shuffle(std::span(search_.order).first(search_.num_active));
  const Bounds found = move_along();
  ++search_.num_passes;
  if (found.highest - found.lowest > search_.limits.tolerance) {
    search_.before = {found.lowest < 0 ? found.lowest : -kInfinity,
                      found.highest > 0 ? found.highest : kInfinity};
  } else if (search_.num_active == examples_.size()) {
    search_.converged = true;
  } else {  // now with those that were passed over
    search_.num_active = examples_.size();
    search_.before = {-kInfinity, kInfinity};
  }
}

void CoordinateDescent::keep(StateWriter& writer) const {
  for (const Example& example : examples_) writer.add(example.dual);
  writer.add_all(sum_.numbers);
  writer.add(sum_.steps, sum_.offset);
  writer.add_all(search_.order);
  writer.add(search_.num_active, search_.before.lowest, search_.before.highest, search_.num_passes,
             search_.converged);
}

void CoordinateDescent::take_back(StateReader& reader) {
  for (Example& example : examples_) example.dual = reader.next();
  const auto numbers = reader.next_all(sum_.numbers.size());
  sum_.numbers.assign(numbers.begin(), numbers.end());
  sum_.steps = reader.next();
  sum_.offset = reader.next();
  for (std::uint32_t& place : search_.order) place = reader.next<std::uint32_t>();
  search_.num_active = reader.next<std::size_t>();
  search_.before.lowest = reader.next();
  search_.before.highest = reader.next();
  search_.num_passes = reader.next<std::uint32_t>();
  search_.converged = reader.next<bool>();
}

CoordinateDescent::Bounds CoordinateDescent::move_along() {
  const double cost = search_.cost;
  const Bounds& before = search_.before;
  std::vector<std::uint32_t>& active = search_.order;
  std::size_t& num_active = search_.num_active;
  Bounds found{0, 0};  // 0 too: at the end all are 0, and not only equal
  // The row of the example at place i of the order, or of the last one.
  const auto row_at = [&](std::size_t i) { return examples_[active[std::min(i, num_active - 1)]].row; };
  std::optional<double> known;  // the product for place i
  for (std::size_t i = 0; i < num_active; ++i) {
    if (i + 3 < num_active) __builtin_prefetch(&examples_[active[i + 3]]);
    Example& example = examples_[active[i]];
    const double product =
        known ? *std::exchange(known, std::nullopt) : rows_.product(example.row, sum_, row_at(i + 1));
    const double weight = cost * example.weight;
    const double most = loss_ == HingeLoss::kHinge ? weight : kInfinity;
    const double diagonal = loss_ == HingeLoss::kHinge ? 0 : 0.5 / weight;
    const double gradient = example.target * (product + bias()) - 1 + example.dual * diagonal;
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
    const double step = example.target * (moved - std::exchange(example.dual, moved));
    if (i + 1 < num_active)
      known = rows_.add_then_multiply(example.row, step, sum_, row_at(i + 1), row_at(i + 2));
    else
      rows_.add(example.row, step, sum_);
  }
  return found;
}

}  // namespace mash
