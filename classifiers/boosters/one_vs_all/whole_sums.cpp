// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/whole_sums.hpp"

#include "classifiers/serving/cut_answers.hpp"

namespace mash {

WholeSums::WholeSums(const BinaryProblems& problems, const FeatureSet& features)
    : problems_(problems),
      features_(features),
      sums_(problems.size(), std::vector<double>(problems.num_examples())) {}

std::span<const std::uint8_t> WholeSums::cells_of(const Hypothesis& hypothesis) {
  if (cells_.empty()) cells_ = mash::cells_of(hypothesis, features_, Side::kTrain);
  return cells_;
}

std::size_t WholeSums::add(std::size_t problem, const Hypothesis& hypothesis,
                           std::span<const std::uint8_t> cells) {
  const bool are_known = !cells_.empty();
  if (cells.size() != problems_.num_examples()) cells = cells_of(hypothesis);
  std::vector<double> steps = cell_votes(hypothesis);
  for (double& step : steps) step *= hypothesis.alpha;
  for (std::size_t n = 0; n < cells.size(); ++n) sums_[problem][n] += steps[cells[n]];
  return are_known ? 0 : cells.size();
}

double WholeSums::error() const {
  std::size_t num_wrong = 0;
  std::vector<double> sums(problems_.size());
  for (std::uint32_t n = 0; n < problems_.num_examples(); ++n) {
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = sums_[p][n];
    num_wrong += problems_.predicted(sums) != problems_.label(n);
  }
  return double(num_wrong) / double(problems_.num_examples());
}

std::vector<double> counts_of_all(std::size_t num_examples, std::span<const std::uint32_t> left_out) {
  if (left_out.empty()) return {};
  std::vector<double> counts(num_examples, 1);
  for (const std::uint32_t n : left_out) counts[n] = 0;
  return counts;
}

}  // namespace mash
