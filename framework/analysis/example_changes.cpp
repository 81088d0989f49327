// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/example_changes.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/analysis/paired_losses.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/paired_tests.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

// One vote for the class of the largest score of each example.
void vote(std::span<const float> scores, std::size_t num_classes, std::vector<double>& votes) {
  for (std::size_t begin = 0; begin < scores.size(); begin += num_classes) {
    const auto row = scores.subspan(begin, num_classes);
    ++votes[begin + std::size_t(std::max_element(row.begin(), row.end()) - row.begin())];
  }
}

constexpr double kAlike = 1e-7;  // of means over a few seeds, as a share of them

// The p-value of no change, where num_seeds seeds have this mean. Equal values of a few may be chance.
double p_value(double mean, double standard_error, std::size_t num_seeds) {
  if (standard_error <= kAlike * std::abs(mean)) return 1;
  return student_p_value(mean / standard_error, num_seeds - 1);
}

}  // namespace

ExampleChanges::ExampleChanges(std::size_t num_examples, std::size_t num_classes)
    : num_classes_(num_classes),
      sums_(num_examples),
      votes_before_(num_examples * num_classes),
      votes_after_(num_examples * num_classes) {}

void ExampleChanges::add(const Judged& before, const Judged& after) {
  require(before.scores.size() == votes_before_.size() && after.scores.size() == votes_after_.size(),
          "scores of each example");
  const std::vector<double> differences = loss_differences(before.losses, after.losses);
  for (std::size_t n = 0; n < sums_.size(); ++n) {
    sums_[n].difference += differences[n];
    sums_[n].squares += differences[n] * differences[n];
    sums_[n].probability_before += stable_exp(-before.losses[n]);
    sums_[n].probability_after += stable_exp(-after.losses[n]);
  }
  vote(before.scores, num_classes_, votes_before_);
  vote(after.scores, num_classes_, votes_after_);
  ++num_seeds_;
}

std::vector<ExampleChange> ExampleChanges::changes(double factor) const {
  require(num_seeds_ >= 2, "two seeds");
  const auto num_seeds = double(num_seeds_), num_examples = double(sums_.size());
  const auto before = predicted_classes(votes_before_, num_classes_);
  const auto after = predicted_classes(votes_after_, num_classes_);
  std::vector<ExampleChange> changes;
  std::vector<double> p_values;
  for (std::size_t n = 0; n < sums_.size(); ++n) {
    const Sums& sums = sums_[n];
    const double mean = sums.difference / num_seeds;
    const double variance = std::max(0.0, sums.squares / num_seeds - mean * mean) / (num_seeds - 1);
    p_values.push_back(p_value(mean, std::sqrt(variance), num_seeds_));
    const double part = factor / num_examples;  // of the gain of all, for a difference of 1
    changes.push_back({part * mean, part * std::sqrt(variance), 1, sums.probability_before / num_seeds,
                       sums.probability_after / num_seeds, before[n], after[n]});
  }
  const std::vector<double> corrected = holm_corrected(p_values);
  for (std::size_t n = 0; n < changes.size(); ++n) changes[n].p_corrected = corrected[n];
  return changes;
}

}  // namespace mash
