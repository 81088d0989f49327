// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/model/rows/distances.hpp"
#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// How a tree of C4.5 grows (Quinlan 1993).
struct GrowthOptions {
  double least_leaf = 2;            // weight of the examples on each side of a question, at least
  bool by_ratio = true;             // questions are compared by the gain ratio, else by the gain
  double confidence = 0.25;         // of the estimate of errors by which it is pruned; 1: it is not
  std::uint32_t most_depth = 1000;  // questions on a path
};

// A question, whether the number is at least the threshold, or a leaf.
struct GrownNode {
  std::vector<double> weights;  // of the training examples here, of each class
  std::uint32_t column = 0;
  float threshold = 0;
  std::unique_ptr<GrownNode> below, above;  // nothing: a leaf

  bool is_leaf() const { return below == nullptr; }
};

// Examples that a tree grows from. labels and weights: of each row; they and the rows outlive it.
struct TreeExamples {
  const NumberRows& rows;
  std::span<const std::uint16_t> labels;
  std::span<const double> weights;
  std::size_t num_classes = 0;
};

// The tree of C4.5, release 8 (Quinlan 1996). The thresholds are midway between neighbouring numbers of a
// node's examples. A question's gain is that of information, in bits, less log2(its possible thresholds) / n,
// where n is the weight of the node's examples. It leaves at least n / (10 K), but no less than least_leaf
// and no more than 25, on each side. Of the questions whose gain is the mean of all or more, up to 0.001, it
// takes the one with the largest ratio of gain to the information of the division itself. A subtree becomes a
// leaf or its larger branch where the estimated errors rise by no more than 0.1. Errors: kStopped.
Result<std::unique_ptr<GrownNode>> grow_c45(const TreeExamples& examples, const GrowthOptions& options,
                                            const WorkContext& work);

// The sum of the weights times the information of their division, in bits.
double information_of(std::span<const double> weights);

// The errors to be expected of a leaf with this weight of examples, of which `wrong` are of another class: n
// times the upper limit of a binomial share (Quinlan 1993, section 4.2).
double expected_errors(double wrong, double n, double confidence);

}  // namespace mash
