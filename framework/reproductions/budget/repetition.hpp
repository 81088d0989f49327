// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/work_context.hpp"
#include "framework/reproductions/budget/sets.hpp"

namespace mash {

// The methods compared in Figure 1 of Huang, Powers & Reyzin 2015, and the trees of its Figure 3.
enum class BudgetMethod : std::uint8_t { kBasic, kGreedy, kSmoothed, kSpeedBoost, kRandom, kTrees };
inline constexpr std::size_t kNumBudgetMethods = 6;
inline constexpr std::array<std::string_view, kNumBudgetMethods> kBudgetMethodTitles{
    "AdaBoostBT", "AdaBoostBT_Greedy", "AdaBoostBT_Smoothed", "SpeedBoost", "AdaBoostRS", "pruned trees"};

// 2, 4, ... 40.
inline constexpr std::size_t kNumBudgets = 20;
constexpr double budget_at(std::size_t i) { return 2 * double(i + 1); }
inline constexpr double kLargestBudget = budget_at(kNumBudgets - 1);

// The sizes of trees that are compared: at most 1, 2, 4, ... leaves, the last one without a limit.
inline constexpr std::size_t kNumTreeSizes = 9;

// Test errors of one repetition, fractions.
struct BudgetRepetition {
  std::array<std::array<double, kNumBudgets>, kNumBudgetMethods> errors{};  // by method, within each budget
  std::array<double, kNumTreeSizes> tree_errors{};                          // by size, at any cost
  double adaboost_error = 0;  // with the paper's number of rounds, at any cost
  double greedy_spent = 0;    // by AdaBoostBT_Greedy in all of its rounds, of the largest budget
  bool operator==(const BudgetRepetition&) const = default;
};

// For each budget the error of the first rounds that it pays for: those before the first one with which more
// than it is spent. needs: of the hypotheses. staged: the error after each number of hypotheses, from 0.
// REQUIRES: one more error than needs.
std::array<double, kNumBudgets> errors_within(const std::vector<Needs>& needs, const FeatureCosts& costs,
                                              const std::vector<double>& staged);

// The rounds of the paper's longest training on a set: AdaBoost's without a budget.
std::uint32_t most_rounds_of(const BudgetSet& set);

struct BudgetRepetitionSettings {
  std::optional<std::uint32_t> num_rounds;  // at most; nothing: 500, AdaBoost as many as the paper
  std::uint64_t seed = 1;                   // of the choice of examples, the costs and the draws
};

// One repetition: examples are chosen at random to train and to test, features get their costs, and all
// methods train on them, by one thread. Trainings end after 500 rounds, since rounds that use features again
// cost nothing. Errors: kStopped; those of training.
Result<BudgetRepetition> run_budget_repetition(const BudgetSet& set, const BinaryPool& pool,
                                               const BudgetRepetitionSettings& settings,
                                               const StopFlag& stop);

// As text, and back; nothing where it is not that of a whole repetition.
std::string serialise(const BudgetRepetition& repetition);
std::optional<BudgetRepetition> parse_budget_repetition(std::string_view text);

}  // namespace mash
