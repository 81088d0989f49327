// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// A data set of Huang, Powers & Reyzin 2015, Table 1, or one that stands for one of them.
struct BudgetSet {
  std::string_view name;       // that it is asked for by
  std::string_view title;      // for people
  std::string_view in_paper;   // its name there
  std::size_t paper_features;  // there, once they are yes or no
  std::string_view format;  // that it is read with; "splice", and "made" for the one that is drawn, are ours
  std::string_view settings;            // of the format: "key=value;key=value"
  std::string_view negative, positive;  // the names of the classes, parted by commas; empty: all others
  std::string_view nominal;             // columns of names, parted by commas; "all"
  std::size_t max_cuts;           // questions to a column of numbers, at most; 0: one between any two values
  double least_share;             // questions that fewer of the examples answer in one way are left out
  std::size_t num_train;          // of a repetition
  std::size_t num_test;           // the same; all others where there are fewer
  std::uint32_t adaboost_rounds;  // with which AdaBoost had the least test error there
};

// In the order of the paper's table.
std::span<const BudgetSet> budget_sets();

// The set that stands for Webscope's, with costs of its own; all others have random costs.
bool has_own_costs(const BudgetSet& set);

// Examples of two classes whose features are answers to questions: 0 or 1.
struct BinaryPool {
  std::size_t num_features = 0;
  std::vector<std::uint16_t> labels;  // of each example; 0 is the more frequent class
  std::vector<std::uint8_t> bits;     // num_features x num_examples: a row for each feature

  std::size_t num_examples() const { return labels.size(); }
  std::span<const std::uint8_t> feature(std::size_t j) const {
    return std::span(bits).subspan(j * num_examples(), num_examples());
  }
};

// Both sides of the data set in one. The questions of a column of numbers are x >= v, for each of its values
// but the smallest or, where the set says how many, for values at even shares of the examples; of a column of
// names x = v for each; of a pixel whether it is in the brighter half. A missing value answers no to all.
// Errors (kInput): a class is not there.
Result<BinaryPool> make_binary(const Dataset& dataset, const BudgetSet& set);

// Reads or draws it. Errors (kInput): those of reading; fewer examples than a repetition needs.
Result<BinaryPool> load_budget_set(const BudgetSet& set, const WorkContext& work);

// The costs of the features in the repetition of that seed: as the paper has it U[0, 2), or the set's own.
FeatureCosts budget_costs(const BudgetSet& set, std::size_t num_features, std::uint64_t seed);

inline constexpr std::string_view kBinaryFamily = "binary";  // of all features of a repetition

}  // namespace mash
