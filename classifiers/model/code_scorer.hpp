// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// f(x) of examples whose features are in the store. Stumps and products are taken together, eight where there
// are up to ten classes: an example's answers to them are the bits of a byte, and a table has the sum of
// their votes for each byte. So the scores equal Predictor's but for rounding.
class CodeScorer {
 public:
  // features: its families are those of the model, in the same order; outlives the scorer.
  // Errors (kInput): a family has another number of features; a threshold is none of the store's.
  static Result<CodeScorer> make(const StrongClassifier& model, const FeatureSet& features);

  // The codes that scores looks at, read into memory.
  std::vector<FeatureColumn> read(Side side, const Workers& workers) const;

  // num_examples x K.
  std::vector<double> scores(std::span<const FeatureColumn> columns, const Workers& workers) const;

 private:
  // Where code >= first of a feature, the cut holds.
  struct CodeCut {
    std::uint32_t column = 0;  // among columns_
    std::uint32_t first = 0;
  };
  // Hypotheses whose cells together make a byte, and the sum of their scores for each byte.
  struct Group {
    std::size_t first_hypothesis = 0, num_hypotheses = 0;
    std::vector<double> table;  // of num_cells x K, or of 2^num_hypotheses x K
  };

  void find_cells(const Group& group, std::span<const FeatureColumn> columns, std::size_t begin,
                  std::span<std::uint8_t> cells) const;

  std::size_t num_classes_ = 0;
  const FeatureSet* features_ = nullptr;
  std::vector<std::uint32_t> columns_;  // numbers of the features that are looked at, increasing
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::vector<CodeCut>> cuts_;  // of each hypothesis
  std::vector<Group> groups_;
};

// Row n of `scores` (K numbers) += row cells[n] of `table`.
void add_table_rows(std::span<const std::uint8_t> cells, std::span<const double> table,
                    std::size_t num_classes, double* scores);

}  // namespace mash
