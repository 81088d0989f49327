// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// Whether cuts hold for the examples of a feature store: the one place where training, prediction and
// analysis get that from. For one value, Cut::holds says it. The answer is the same from a value and from its
// code: a value is at least a threshold of the store where its code is at least that threshold's.

// For each value, or code, 1 where the cut holds, else 0. first_code: the lowest code for which it holds.
std::vector<std::uint8_t> answers_of_values(const Cut& cut, std::span<const float> values);
std::vector<std::uint8_t> answers_of_codes(std::span<const std::uint8_t> codes, std::uint8_t first_code);
inline bool code_holds(std::uint8_t code, std::uint8_t first_code) { return code >= first_code; }

// Turns round those bits of flags[n] that `bits` has, for each example n where the cut holds: the answers of
// several cuts side by side. REQUIRES: as many flags as codes.
void flip_where_cut_holds(std::span<const std::uint8_t> codes, std::uint8_t first_code, std::uint8_t bits,
                          std::span<std::uint8_t> flags);

// The number of the cut's feature among all. features: those of the model, its families in the same order.
std::uint32_t feature_of(const Cut& cut, const FeatureSet& features);

// The lowest code for which the cut holds; 0 where it always does. Nothing where the store does not have the
// threshold, as with `cuts: exact`.
std::optional<std::uint8_t> first_code_of(const Cut& cut, const FeatureSet& features);

// The answers of one cut for all examples of a side.
class CutColumn {
 public:
  // From the codes, or from the values where the store does not have the threshold. REQUIRES: then the
  // features were opened with keep_values.
  CutColumn(const Cut& cut, const FeatureSet& features, Side side);

  bool holds(std::size_t example) const {
    return codes_.codes.empty() || code_holds(codes_.codes[example], first_code_);
  }
  // 0 or 1 for each of the side's examples.
  std::vector<std::uint8_t> all() const;

 private:
  std::size_t num_examples_;
  FeatureColumn codes_;  // empty where the cut always holds
  std::uint8_t first_code_ = 0;
};

// The answers of a model's cuts on one side.
class CutAnswers {
 public:
  // features: of the families of the model, in the same order. Errors (kInput): a family has another number
  // of features. REQUIRES: as CutColumn.
  static Result<CutAnswers> make(const StrongClassifier& model, const FeatureSet& features,
                                 Side side = Side::kTest);

  bool holds(std::size_t hypothesis, std::size_t cut, std::size_t example) const {
    return columns_[hypothesis][cut].holds(example);
  }

 private:
  std::vector<std::vector<CutColumn>> columns_;  // of each hypothesis
};

// The cell of each example of a side. REQUIRES: as CutColumn.
std::vector<std::uint8_t> cells_of(const Hypothesis& hypothesis, const FeatureSet& features, Side side);

// Calls done(hypothesis, its cells) for each of them in order. Features that are computed on demand are
// computed for many hypotheses together. REQUIRES: as CutColumn.
void for_each_cells(
    std::span<const Hypothesis> hypotheses, const FeatureSet& features, Side side,
    const std::function<void(const Hypothesis& hypothesis, std::vector<std::uint8_t> cells)>& done);

}  // namespace mash
