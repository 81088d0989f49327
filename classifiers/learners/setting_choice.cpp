// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/setting_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace mash {

TriedValues tried_costs(std::vector<double> costs, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (costs.empty())
    for (const double cost : {1.0, 10.0, 100.0, 1000.0, 10'000.0}) costs.push_back(cost / total);
  std::sort(costs.begin(), costs.end());
  return {"C", std::move(costs)};
}

SettingChoice::SettingChoice(TriedValues tried, std::span<const std::uint16_t> labels,
                             std::span<const double> weights, std::size_t num_classes, std::uint64_t seed)
    : tried_(std::move(tried)), labels_(labels), weights_(weights) {
  if (tried_.values.size() > 1)
    held_ = hold_out_tenth(labels, weights, num_classes, seed);
  else
    tried_idx_ = tried_.values.size();
}

bool SettingChoice::judge(std::span<const std::uint16_t> classes_of_judges) {
  const double error = held_.error(classes_of_judges, labels_, weights_);
  num_worse_ = error > smallest_error_ ? num_worse_ + 1 : 0;
  const std::size_t judged_idx = tried_idx_++;
  if (error >= smallest_error_) return false;
  smallest_error_ = error;
  best_idx_ = judged_idx;
  return true;
}

std::string SettingChoice::text(std::string_view learner) const {
  const auto [smallest, largest] = std::minmax_element(tried_.values.begin(), tried_.values.end());
  const char* at_end = best() == *smallest  ? "; it is the smallest that was tried"
                       : best() == *largest ? "; it is the largest that was tried"
                                            : "";
  return fmt::format("{}: {} {:.3g} is chosen, with an error of {:.2f} % on {} examples that did not train{}",
                     learner, name(), best(), 100 * smallest_error_, held_.judges.size(), at_end);
}

void SettingChoice::keep(StateWriter& writer) const {
  writer.add(tried_idx_, best_idx_, smallest_error_, num_worse_);
}

void SettingChoice::take_back(StateReader& reader) {
  tried_idx_ = reader.next<std::size_t>();
  best_idx_ = reader.next<std::size_t>();
  smallest_error_ = reader.next();
  num_worse_ = reader.next<int>();
}

}  // namespace mash
