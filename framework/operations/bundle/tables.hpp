// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/budget/early_stopping.hpp"
#include "classifiers/model/model.hpp"

// A model as constants of C++, for the files of `pieces`.
namespace mash {

// A text as C++ writes it, in quotes.
std::string as_literal(std::string_view text);

// The constants that all models have: names of classes, cameras, the function that resizes, families with the
// features that the model uses. heuristics: for each family of the model an expression that is a pointer to
// its heuristic's table; of a family without such features it means nothing.
std::string common_tables(const Model& model, std::span<const std::string> heuristics);

// The constants of a model of its kind, for the piece with the name of the kind.
std::string tables_of_kind(const Model& model);

// The constants of a plan, beside those of a sum of its hypotheses alone, in its order; for the piece `paid`.
// rounding: ScoreGains::rounding of the whole model.
std::string plan_tables(const StrongClassifier& planned, const BudgetPlan& plan, double rounding);

// The answers to one check picture after another, as bundles find them on this machine.
struct ExpectedAnswers {
  std::vector<float> values;   // of the features that the model uses
  std::vector<double> scores;  // of each class; none within a budget
  std::vector<std::uint16_t> classes;
};
std::string expected_tables(const ExpectedAnswers& expected);

}  // namespace mash
