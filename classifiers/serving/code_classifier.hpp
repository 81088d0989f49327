// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// Rows of tables are filled up to a multiple of this: whole vectors on each instruction set.
inline constexpr std::size_t kTableLanes = 16;

// The codes of some examples for a feature, and the row of a table that each code adds.
struct CodeTable {
  const std::uint8_t* codes = nullptr;
  const float* table = nullptr;
};

// Classifies examples whose features are in the store. Stumps and products are taken together, eight where
// there are up to thirty-two classes: an example's answers to them are the bits of a byte, and a table has
// the sum of their votes for each byte. Where one feature has more stumps than that, a table has the sum of
// their votes for each code. The tables are rounded; where two scores are so close that rounding could have
// changed their order, they are added up again in double, so that all classes are those of Predictor's
// scores.
class CodeClassifier {
 public:
  // features: its families are those of the model, in the same order; outlives the classifier.
  // Errors (kInput): a family has another number of features; a threshold is not in the store.
  static Result<CodeClassifier> make(const StrongClassifier& model, const FeatureSet& features);

  // The codes that are looked at.
  struct Codes {
    std::size_t num_examples = 0;
    std::vector<FeatureColumn> columns;
  };
  // Reads them into memory.
  Codes read(Side side, const Workers& workers) const;

  // The class of each example.
  std::vector<std::uint16_t> classes(const Codes& codes, const Workers& workers) const;

 private:
  // Where code >= first of a feature, the cut holds.
  struct CodeCut {
    std::uint32_t column = 0;  // among columns_
    std::uint8_t first = 0;
  };
  // A hypothesis, to be looked up quickly.
  struct Term {
    double alpha = 0;
    bool is_stump = false;  // of one cut
    CodeCut cut;            // the first
  };
  // The sum of many stumps of one feature.
  struct ColumnTable {
    std::uint32_t column = 0;
    std::vector<float> table;  // a row for each code
  };
  // Hypotheses whose cells together make a byte, and the sum of their scores for each byte.
  struct Group {
    std::vector<std::size_t> hypotheses;
    std::vector<std::int16_t> table;  // of num_cells rows, or of 2^num_hypotheses; in units of its sum
  };
  // Groups whose tables can be added up in 16 bits, and what their entries are multiples of.
  struct TableSum {
    std::size_t first_group = 0, num_groups = 0;
    float unit = 0;
  };
  using Columns = std::span<const FeatureColumn>;

  // Those of the features with more than `most` stumps, whose hypotheses are marked in `done`.
  void make_column_tables(std::size_t most, double score_bound, std::vector<bool>& done);
  void make_tables(double score_bound);
  std::vector<double> table_of_answers(std::span<const std::size_t> hypotheses) const;
  std::vector<double> table_of_codes(std::span<const std::size_t> stumps) const;
  void add_column_tables(Columns columns, std::size_t begin, std::size_t end, float* scores) const;
  void find_cells(const Group& group, Columns columns, std::size_t begin,
                  std::span<std::uint8_t> cells) const;
  // Which of these classes has the highest score, in double precision, hypothesis after hypothesis.
  std::size_t exact_class(Columns columns, std::size_t example, std::span<const std::size_t> classes) const;

  std::size_t num_classes_ = 0;
  std::size_t row_size_ = 0;  // of the tables: as many numbers as there are classes, in whole vectors
  double largest_error_ = 0;  // of a score that is added up from the tables, which are divided by score_bound
  const FeatureSet* features_ = nullptr;
  std::vector<std::uint32_t> columns_;  // numbers of the features that are looked at, increasing
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::vector<double>> votes_;  // of each hypothesis: num_cells x K
  std::vector<std::vector<CodeCut>> cuts_;  // of each hypothesis
  std::vector<Term> terms_;                 // of each hypothesis
  std::vector<ColumnTable> column_tables_;
  std::vector<Group> groups_;
  std::vector<TableSum> sums_;
};

}  // namespace mash
