// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classifiers/model/input_model.hpp"

namespace mash {

// A question to the number of an input, whether it is at least the threshold, or a leaf.
struct TreeStep {
  std::uint32_t input = 0;
  float threshold = 0;
  std::uint32_t below = 0, above = 0;  // the steps that its answers lead to; 0: it is a leaf

  bool is_leaf() const { return below == 0; }
  bool operator==(const TreeStep&) const = default;
};

// A decision tree. The scores of an example are the shares of the classes among the training examples of its
// leaf.
struct TreeModel : InputModel {
  static constexpr std::string_view kKind = "tree";

  std::vector<TreeStep> steps;  // at least one; the root first, each before the steps that it leads to
  std::vector<double> shares;   // steps x K, those of steps that are no leaf too

  bool operator==(const TreeModel&) const = default;
};

// The steps on the way of an example with these numbers, from the root to its leaf.
std::vector<std::uint32_t> path_of(const TreeModel& model, std::span<const float> numbers);

// The model outlives it.
NumberScores number_scores(const TreeModel& model);

}  // namespace mash
