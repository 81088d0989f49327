// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/paired_tests.hpp"
#include "framework/base/statistics.hpp"

namespace mash {

// Results of a training on the examples that judge it (the test side where nothing else is said), as far as
// comparisons need it.
struct TestRun {
  std::uint64_t seed = 0;
  double test_error = 0;                 // fraction
  std::vector<std::uint16_t> predicted;  // the class of each of them
  std::vector<double> losses = {};       // -ln p of the class of each, as of scaled_log_loss
};

// Two sets of families, trained with the same seeds. An example counts as right where more than half of the
// seeds have it right: "by majority".
struct Comparison {
  std::vector<double> gains;  // per seed: error before less error after, a fraction; positive: better
  // Their mean with its 95 % interval (Student's t over seeds, paired), which equal gains other than 0 lack.
  Estimate gain;
  double p_value = 1;                      // of the paired t-test over seeds; 1 where all gains are equal
  std::vector<std::size_t> fixed, broken;  // test examples right after and wrong before by majority; reverse
  McNemar examples;
};

// REQUIRES: as many runs before as after, at least one, with the same seeds in the same order, each with as
// many predictions as labels; labels below num_classes.
Comparison compare(std::span<const TestRun> before, std::span<const TestRun> after,
                   std::span<const std::uint16_t> labels, std::size_t num_classes);

// The test examples that every one of these sets of runs gets wrong, by majority of its seeds.
std::vector<std::size_t> wrong_in_all(std::span<const std::span<const TestRun>> sets,
                                      std::span<const std::uint16_t> labels);

// The mean of the runs' test errors with its 95 % interval over seeds.
Estimate mean_error(std::span<const TestRun> runs);

// The most frequent class, the lowest of equals. REQUIRES: at least one label.
std::uint16_t most_frequent_class(std::span<const std::uint16_t> labels, std::size_t num_classes);

// The error of always saying the most frequent class of the training side. REQUIRES: both sides have
// examples.
double constant_error(std::span<const std::uint16_t> train_labels, std::span<const std::uint16_t> test_labels,
                      std::size_t num_classes);

}  // namespace mash
