// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// Busa-Fekete & Kegl 2010, Table 1: five data sets x three weak learners x five methods.

// A data set of the table; its recipe is experiments/bandit-NAME.yaml.
struct BanditSet {
  std::string_view name;
  std::string_view title;
};

// A weak learner of the table.
struct BanditLearner {
  std::string_view name;       // ours
  std::string_view title;      // with the meaning of its size
  std::string_view size_key;   // the setting that is its size; empty: it has none
  std::array<int, 5> sizes;    // per data set, as the paper validated them
  std::string_view other_key;  // a setting that is the same everywhere; empty: none
  std::string_view other_value;
};

// How features are chosen, under the paper's name and ours.
struct BanditMethod {
  std::string_view name, title, sampler;
};

// A figure of the table and what we found to train with: by `mash reproduce bandit-table1 --validate`.
struct BanditCell {
  double error = 0;                 // the paper's smoothed test error, per cent
  std::uint32_t num_rounds = 0;     // T of ours
  double eta = 0.3, lambda = 0.15;  // of Exp3.P alone
};

std::span<const BanditSet> bandit_sets();
std::span<const BanditLearner> bandit_learners();
std::span<const BanditMethod> bandit_methods();
const BanditCell& bandit_cell(std::size_t learner, std::size_t method, std::size_t set);

// The choices of a cell that were made with the paper's error in view and not on the training side alone: the
// version of the "data", the "cuts" of the weak learner, or "T", a round number beyond the end of the search.
// Empty: nothing.
std::string_view bandit_adaptation(std::size_t learner, std::size_t method, std::size_t set);

}  // namespace mash
