// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/code_classifier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "classifiers/model/table_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/model/code_classifier.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void flip_where_at_least(const std::uint8_t* HWY_RESTRICT codes, std::size_t num_examples, std::uint8_t first,
                         std::uint8_t bit, std::uint8_t* HWY_RESTRICT answers) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto bits = hn::Set(d, bit), from = hn::Set(d, first);
  std::size_t n = 0;
  for (; n + hn::Lanes(d) <= num_examples; n += hn::Lanes(d)) {
    const auto code = hn::LoadU(d, codes + n);
    const auto flips = hn::IfThenElseZero(hn::Eq(hn::Max(code, from), code), bits);
    hn::StoreU(hn::Xor(hn::LoadU(d, answers + n), flips), d, answers + n);
  }
  for (; n < num_examples; ++n) answers[n] ^= codes[n] >= first ? bit : 0;
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(flip_where_at_least);

// Examples whose sums stay in the second-level cache; a table stays in the first.
constexpr std::size_t kTile = 1024;
constexpr std::size_t kTableBytes = std::size_t(16) << 10;
constexpr std::size_t kLanes = 16;  // rows of tables are whole vectors of so many floats
// Tables that are added up in single precision before the sums go to double: few enough that rounding matters
// little.
constexpr std::size_t kTablesPerSum = 32;

// How many answers, a bit each, a table fits into its share of the cache for.
std::size_t answers_per_table(std::size_t row_size) {
  const std::size_t num_rows = std::max<std::size_t>(2, kTableBytes / (row_size * sizeof(float)));
  return std::min<std::size_t>(8, std::size_t(std::bit_width(num_rows)) - 1);
}

// The first code for which x >= the threshold of the cut.
Result<std::uint32_t> first_code(const Cut& cut, std::uint32_t feature, const FeatureSet& features) {
  if (cut.always_holds()) return std::uint32_t(0);
  for (std::uint32_t code = 1; code <= features.num_cuts(feature); ++code)
    if (features.threshold(feature, code) == cut.threshold) return code;
  return input_error(
      "feature {} of {}: the store has no threshold {}: the model was trained on another training side, "
      "with `cuts: exact` or with this family beyond --store-limit; predict without --store",
      cut.feature_idx, features.families()[cut.family_idx].spec.name, cut.threshold);
}

// The sums of alpha v of hypotheses with two cells for every set of answers: bit i is 1 where hypothesis i
// says v, and 0 where it says -v.
std::vector<float> table_of_answers(std::span<const Hypothesis> hypotheses, std::size_t num_classes,
                                    std::size_t row_size) {
  std::vector<float> table(row_size << hypotheses.size());
  for (std::size_t answers = 0; answers < std::size_t(1) << hypotheses.size(); ++answers)
    for (std::size_t l = 0; l < num_classes; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < hypotheses.size(); ++i)
        sum += (answers >> i & 1 ? 1 : -1) * hypotheses[i].alpha * hypotheses[i].votes[l];
      table[answers * row_size + l] = float(sum);
    }
  return table;
}

std::vector<float> table_of_leaves(const Hypothesis& tree, std::size_t num_classes, std::size_t row_size) {
  std::vector<float> table(row_size * tree.num_cells());
  for (std::size_t cell = 0; cell < tree.num_cells(); ++cell)
    for (std::size_t l = 0; l < num_classes; ++l)
      table[cell * row_size + l] = float(tree.alpha * tree.votes[cell * num_classes + l]);
  return table;
}

}  // namespace

Result<CodeClassifier> CodeClassifier::make(const StrongClassifier& model, const FeatureSet& features) {
  for (std::size_t k = 0; k < model.families.size(); ++k)
    MASH_TRY(check_dim(model.families[k], features.family_size(k)));
  CodeClassifier classifier;
  classifier.num_classes_ = model.num_classes();
  classifier.row_size_ = (model.num_classes() + kLanes - 1) / kLanes * kLanes;
  classifier.features_ = &features;
  classifier.hypotheses_ = model.hypotheses;
  const auto number_of = [&](const Cut& cut) {
    return features.first_feature(cut.family_idx) + cut.feature_idx;
  };
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) classifier.columns_.push_back(number_of(cut));
  std::sort(classifier.columns_.begin(), classifier.columns_.end());
  classifier.columns_.erase(std::unique(classifier.columns_.begin(), classifier.columns_.end()),
                            classifier.columns_.end());
  for (const Hypothesis& hypothesis : model.hypotheses) {
    classifier.votes_.push_back(cell_votes(hypothesis));
    std::vector<CodeCut>& cuts = classifier.cuts_.emplace_back();
    for (const Cut& cut : hypothesis.cuts) {
      const auto column =
          std::lower_bound(classifier.columns_.begin(), classifier.columns_.end(), number_of(cut));
      MASH_ASSIGN(const std::uint32_t first, first_code(cut, number_of(cut), features));
      cuts.push_back({std::uint32_t(column - classifier.columns_.begin()), first});
    }
  }
  const std::size_t largest = answers_per_table(classifier.row_size_);
  for (std::size_t t = 0; t < model.hypotheses.size();) {
    const Hypothesis& first = model.hypotheses[t];
    std::size_t end = t + 1;
    while (!first.is_tree() && end < model.hypotheses.size() && end < t + largest &&
           !model.hypotheses[end].is_tree())
      ++end;
    const auto members = std::span(model.hypotheses).subspan(t, end - t);
    classifier.groups_.push_back(
        {t, members.size(),
         first.is_tree() ? table_of_leaves(first, classifier.num_classes_, classifier.row_size_)
                         : table_of_answers(members, classifier.num_classes_, classifier.row_size_)});
    t = end;
  }
  // The rows are rounded, and each of their sums, by at most half an ulp of the sum of all alpha.
  classifier.largest_error_ =
      (kTablesPerSum + 1) * alpha_sum(model) * double(std::numeric_limits<float>::epsilon()) / 2;
  return classifier;
}

void CodeClassifier::find_cells(const Group& group, Columns columns, std::size_t begin,
                                std::span<std::uint8_t> cells) const {
  const Hypothesis& first = hypotheses_[group.first_hypothesis];
  if (first.is_tree()) {
    const std::vector<CodeCut>& cuts = cuts_[group.first_hypothesis];
    for (std::size_t n = 0; n < cells.size(); ++n)
      cells[n] = std::uint8_t(cell_of(
          first, [&](std::size_t i) { return columns[cuts[i].column].codes[begin + n] >= cuts[i].first; }));
    return;
  }
  // The answer is 1 where an even number of cuts does not hold: with m cuts, m and those that hold have one
  // parity.
  std::uint8_t even = 0;
  for (std::size_t i = 0; i < group.num_hypotheses; ++i)
    even |= std::uint8_t((1 - cuts_[group.first_hypothesis + i].size() % 2) << i);
  std::fill(cells.begin(), cells.end(), even);
  const auto flip = HWY_DYNAMIC_DISPATCH(flip_where_at_least);
  for (std::size_t i = 0; i < group.num_hypotheses; ++i)
    for (const CodeCut& cut : cuts_[group.first_hypothesis + i])
      flip(columns[cut.column].codes.data() + begin, cells.size(), std::uint8_t(cut.first),
           std::uint8_t(1 << i), cells.data());
}

CodeClassifier::Codes CodeClassifier::read(Side side, const Workers& workers) const {
  constexpr std::size_t kPageSize = 4096;
  Codes codes{side == Side::kTrain ? features_->num_train() : features_->num_test(),
              std::vector<FeatureColumn>(columns_.size())};
  workers.for_ranges(columns_.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      codes.columns[i] = features_->column(side, columns_[i]);
      const std::span<const std::uint8_t> column = codes.columns[i].codes;
      const auto map_page = [&](std::size_t n) { *static_cast<const volatile std::uint8_t*>(&column[n]); };
      for (std::size_t n = 0; n < column.size(); n += kPageSize) map_page(n);
      if (!column.empty()) map_page(column.size() - 1);
    }
  });
  return codes;
}

std::size_t CodeClassifier::exact_class(Columns columns, std::size_t example) const {
  std::vector<double> scores(num_classes_);
  for (std::size_t t = 0; t < hypotheses_.size(); ++t) {
    const std::size_t cell = cell_of(hypotheses_[t], [&](std::size_t i) {
      return columns[cuts_[t][i].column].codes[example] >= cuts_[t][i].first;
    });
    for (std::size_t l = 0; l < num_classes_; ++l)
      scores[l] += hypotheses_[t].alpha * votes_[t][cell * num_classes_ + l];
  }
  return predicted_class(scores);
}

std::vector<std::uint16_t> CodeClassifier::classes(const Codes& codes, const Workers& workers) const {
  const Columns columns = codes.columns;
  std::vector<std::uint16_t> classes(codes.num_examples);
  workers.for_blocks(codes.num_examples, kTile, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::array<std::uint8_t, kTile> buffer;
    const auto cells = std::span(buffer).first(end - begin);
    std::vector<float> sums(cells.size() * row_size_);
    std::vector<double> scores(cells.size() * num_classes_);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      find_cells(groups_[i], columns, begin, cells);
      add_table_rows(cells, groups_[i].table, row_size_, sums.data());
      if ((i + 1) % kTablesPerSum != 0 && i + 1 < groups_.size()) continue;
      for (std::size_t n = 0; n < cells.size(); ++n)
        for (std::size_t l = 0; l < num_classes_; ++l)
          scores[n * num_classes_ + l] += double(std::exchange(sums[n * row_size_ + l], 0.0f));
    }
    for (std::size_t n = 0; n < cells.size(); ++n) {
      const auto row = std::span<const double>(scores).subspan(n * num_classes_, num_classes_);
      const std::size_t best = predicted_class(row);
      const auto is_close = [&](double score) { return row[best] - score <= 2 * largest_error_; };
      const bool sure = std::count_if(row.begin(), row.end(), is_close) == 1;
      classes[begin + n] = std::uint16_t(sure ? best : exact_class(columns, begin + n));
    }
  });
  return classes;
}

}  // namespace mash
#endif
