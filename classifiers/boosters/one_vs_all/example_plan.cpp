// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/example_plan.hpp"

#include <algorithm>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/boosters/loop/training_side.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// The same hypothesis with other votes.
Hypothesis with_votes(const Hypothesis& hypothesis, std::vector<double> votes) {
  return {hypothesis.alpha, hypothesis.cuts, std::move(votes), hypothesis.branches};
}

}  // namespace

BinaryProblems::BinaryProblems(const Split& side, std::size_t num_classes)
    : side_(side), num_classes_(num_classes) {
  require(num_classes >= 2, "BinaryProblems: at least two classes");
}

std::vector<double> BinaryProblems::margins(std::size_t problem, std::span<const std::uint32_t> examples,
                                            std::span<const double> sums) const {
  std::vector<double> margins;
  for (std::size_t i = 0; i < examples.size(); ++i) margins.push_back(sign(problem, examples[i]) * sums[i]);
  return margins;
}

std::size_t BinaryProblems::predicted(std::span<const double> sums) const {
  return num_classes_ == 2 ? std::size_t(sums[0] > 0) : predicted_class(sums);
}

std::vector<double> BinaryProblems::votes(std::size_t problem) const {
  std::vector<double> votes(num_classes_);
  votes[num_classes_ == 2 ? 1 : problem] = 1;
  if (num_classes_ == 2) votes[0] = -1;
  return votes;
}

Hypothesis BinaryProblems::of_all_classes(std::size_t problem, const Hypothesis& hypothesis) const {
  const std::vector<double> factors = this->votes(problem);
  std::vector<double> votes(hypothesis.votes.size() * num_classes_);
  for (std::size_t cell = 0; cell < hypothesis.votes.size(); ++cell) {
    double* row = &votes[cell * num_classes_];
    for (std::size_t l = 0; l < num_classes_; ++l)
      if (factors[l] != 0) row[l] = factors[l] * hypothesis.votes[cell];
  }
  return with_votes(hypothesis, std::move(votes));
}

std::size_t BinaryProblems::problem_of(const Hypothesis& hypothesis) const {
  if (num_classes_ == 2) return 0;
  const auto voted =
      std::find_if(hypothesis.votes.begin(), hypothesis.votes.end(), [](double v) { return v != 0; });
  return std::size_t(voted - hypothesis.votes.begin()) % num_classes_;
}

Hypothesis BinaryProblems::of_one_class(std::size_t problem, const Hypothesis& hypothesis) const {
  std::vector<double> votes;
  for (std::size_t i = num_classes_ == 2 ? 1 : problem; i < hypothesis.votes.size(); i += num_classes_)
    votes.push_back(hypothesis.votes[i]);
  return with_votes(hypothesis, std::move(votes));
}

RoundExamples spread_examples(const PlanGround& ground, std::size_t size, double sum) {
  const std::size_t num_examples = ground.problems.num_examples();
  const auto all = trained_on(num_examples, ground.context.left_out);
  size = std::min(size, all.size());
  RoundExamples spread;
  for (std::size_t i = 0; i < size; ++i) spread.examples.push_back(all[i * all.size() / size]);
  spread.weights.assign(size, 1.0);
  spread.sums.assign(size, sum);
  if (size < num_examples) spread.features = ground.context.features.of_rows(spread.examples);
  return spread;
}

}  // namespace mash
