// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/learners/held_out.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {

// The values of a setting, in the order in which they are tried: first those with which a search takes least
// time.
struct TriedValues {
  const char* name = "";  // of the setting, as users write it
  std::vector<double> values = {};
};

// C says how much the losses of examples count beside large coefficients: small values first. costs: none
// stands for 1, 10, 100, 1000 and 10,000, divided by the sum of the weights. REQUIRES: costs are above 0.
TriedValues tried_costs(std::vector<double> costs, std::span<const double> weights);

// The choice of a setting's value. One is tried after the other, until two in turn are worse than the best.
// The best has the smallest error on a tenth of the examples that trains nothing; of equal ones it is the
// first.
class SettingChoice {
 public:
  // tried: at least one. Labels and weights are those of all examples, and outlive this.
  SettingChoice(TriedValues tried, std::span<const std::uint16_t> labels, std::span<const double> weights,
                std::size_t num_classes, std::uint64_t seed);

  const char* name() const { return tried_.name; }
  // Whether there is a value to try; from the beginning on none where there is but one value.
  bool is_open() const { return tried_idx_ < tried_.values.size() && num_worse_ < kWorseInTurn; }
  double tried() const { return tried_.values[tried_idx_]; }
  std::size_t num_later() const { return tried_.values.size() - tried_idx_ - 1; }
  double best() const { return tried_.values[best_idx_]; }
  // 0 where there was but one value.
  std::size_t num_tried() const { return tried_.values.size() > 1 ? tried_idx_ : 0; }
  // Weights of training: 0 of those that judge, while it is open.
  std::span<const double> weights() const { return is_open() ? held_.weights : weights_; }
  std::span<const std::uint32_t> judges() const { return held_.judges; }

  // The classes that judges get with the value that is tried; the next one has its turn. Returns whether it
  // is the best so far.
  bool judge(std::span<const std::uint16_t> classes_of_judges);
  // A sentence on the choice, for the user of this learner.
  std::string text(std::string_view learner) const;

  void keep(StateWriter& writer) const;
  void take_back(StateReader& reader);

 private:
  static constexpr int kWorseInTurn = 2;  // that end it

  TriedValues tried_;
  std::span<const std::uint16_t> labels_;
  std::span<const double> weights_;
  HeldOut held_;
  std::size_t tried_idx_ = 0, best_idx_ = 0;
  double smallest_error_ = 2;
  int num_worse_ = 0;  // in turn
};

}  // namespace mash
