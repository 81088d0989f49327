// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/contribution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// For each example, whether more than half of the runs have it right.
std::vector<bool> right_by_majority(std::span<const TestRun> runs, std::span<const std::uint16_t> labels) {
  std::vector<bool> right(labels.size());
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto is_right = [&](const TestRun& run) { return run.predicted[n] == labels[n]; };
    right[n] = 2 * std::size_t(std::count_if(runs.begin(), runs.end(), is_right)) > runs.size();
  }
  return right;
}

// Throws where compare() is not called as it must be.
void check(std::span<const TestRun> before, std::span<const TestRun> after,
           std::span<const std::uint16_t> labels, std::size_t num_classes) {
  require(before.size() == after.size() && !before.empty(),
          "compare: as many runs before as after, at least one");
  for (std::size_t i = 0; i < before.size(); ++i) {
    require(before[i].seed == after[i].seed, "compare: the same seeds in the same order");
    require(before[i].predicted.size() == labels.size() && after[i].predicted.size() == labels.size(),
            "compare: as many predictions as labels");
  }
  for (const std::uint16_t label : labels) require(label < num_classes, "compare: labels below num_classes");
}

}  // namespace

std::vector<std::size_t> wrong_in_all(std::span<const std::span<const TestRun>> sets,
                                      std::span<const std::uint16_t> labels) {
  std::vector<bool> is_covered(labels.size());
  for (const std::span<const TestRun> runs : sets) {
    const auto right = right_by_majority(runs, labels);
    for (std::size_t n = 0; n < labels.size(); ++n) is_covered[n] = is_covered[n] || right[n];
  }
  std::vector<std::size_t> wrong;
  for (std::size_t n = 0; n < labels.size(); ++n)
    if (!is_covered[n]) wrong.push_back(n);
  return wrong;
}

Comparison compare(std::span<const TestRun> before, std::span<const TestRun> after,
                   std::span<const std::uint16_t> labels, std::size_t num_classes) {
  check(before, after, labels, num_classes);
  Comparison comparison;
  std::vector<double> errors_before, errors_after;
  for (std::size_t i = 0; i < before.size(); ++i) {
    errors_before.push_back(before[i].test_error);
    errors_after.push_back(after[i].test_error);
    comparison.gains.push_back(before[i].test_error - after[i].test_error);
  }
  comparison.gain = estimate(comparison.gains);
  const bool are_equal = differ_alike(errors_before, errors_after);
  if (are_equal && comparison.gain.mean != 0) comparison.gain.half_width.reset();
  if (!are_equal) comparison.p_value = *paired_test(errors_before, errors_after).p_value;
  const auto right_before = right_by_majority(before, labels), right_after = right_by_majority(after, labels);
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (right_after[n] && !right_before[n]) comparison.fixed.push_back(n);
    if (right_before[n] && !right_after[n]) comparison.broken.push_back(n);
  }
  comparison.examples = mcnemar(comparison.fixed.size(), comparison.broken.size());
  return comparison;
}

Estimate mean_error(std::span<const TestRun> runs) {
  std::vector<double> errors;
  for (const TestRun& run : runs) errors.push_back(run.test_error);
  return estimate(errors);
}

std::uint16_t most_frequent_class(std::span<const std::uint16_t> labels, std::size_t num_classes) {
  require(!labels.empty(), "most_frequent_class: at least one label");
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : labels) ++counts[label];
  return std::uint16_t(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

double constant_error(std::span<const std::uint16_t> train_labels, std::span<const std::uint16_t> test_labels,
                      std::size_t num_classes) {
  require(!test_labels.empty(), "constant_error: examples on both sides");
  const std::uint16_t most = most_frequent_class(train_labels, num_classes);
  const auto num_right = std::count(test_labels.begin(), test_labels.end(), most);
  return 1 - double(num_right) / double(test_labels.size());
}

}  // namespace mash
