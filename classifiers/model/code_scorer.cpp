// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/code_scorer.hpp"

#include <algorithm>
#include <array>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/model/code_scorer.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void add_table_rows(const std::uint8_t* HWY_RESTRICT cells, std::size_t num_examples,
                    const double* HWY_RESTRICT table, std::size_t num_classes, double* HWY_RESTRICT scores) {
  const hn::ScalableTag<double> d;
  for (std::size_t n = 0; n < num_examples; ++n, scores += num_classes) {
    const double* row = table + cells[n] * num_classes;
    std::size_t l = 0;
    for (; l + hn::Lanes(d) <= num_classes; l += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, scores + l), hn::LoadU(d, row + l)), d, scores + l);
    for (; l < num_classes; ++l) scores[l] += row[l];
  }
}

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

HWY_EXPORT(add_table_rows);
HWY_EXPORT(flip_where_at_least);

// Examples whose scores stay in the second-level cache; a table stays in the first.
constexpr std::size_t kTile = 1024;
constexpr std::size_t kTableBytes = std::size_t(20) << 10;

// How many answers, a bit each, a table fits into its share of the cache for.
std::size_t answers_per_table(std::size_t num_classes) {
  const std::size_t num_rows = std::max<std::size_t>(2, kTableBytes / (num_classes * sizeof(double)));
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
std::vector<double> table_of_answers(std::span<const Hypothesis> hypotheses, std::size_t num_classes) {
  std::vector<double> table(num_classes << hypotheses.size());
  for (std::size_t answers = 0; answers < std::size_t(1) << hypotheses.size(); ++answers)
    for (std::size_t i = 0; i < hypotheses.size(); ++i)
      for (std::size_t l = 0; l < num_classes; ++l)
        table[answers * num_classes + l] +=
            (answers >> i & 1 ? 1 : -1) * hypotheses[i].alpha * hypotheses[i].votes[l];
  return table;
}

std::vector<double> table_of_leaves(const Hypothesis& tree) {
  std::vector<double> table;
  for (const std::int8_t vote : tree.votes) table.push_back(tree.alpha * vote);
  return table;
}

}  // namespace

void add_table_rows(std::span<const std::uint8_t> cells, std::span<const double> table,
                    std::size_t num_classes, double* scores) {
  HWY_DYNAMIC_DISPATCH(add_table_rows)(cells.data(), cells.size(), table.data(), num_classes, scores);
}

Result<CodeScorer> CodeScorer::make(const StrongClassifier& model, const FeatureSet& features) {
  for (std::size_t k = 0; k < model.families.size(); ++k)
    MASH_TRY(check_dim(model.families[k], features.family_size(k)));
  CodeScorer scorer;
  scorer.num_classes_ = model.num_classes();
  scorer.features_ = &features;
  scorer.hypotheses_ = model.hypotheses;
  const auto number_of = [&](const Cut& cut) {
    return features.first_feature(cut.family_idx) + cut.feature_idx;
  };
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) scorer.columns_.push_back(number_of(cut));
  std::sort(scorer.columns_.begin(), scorer.columns_.end());
  scorer.columns_.erase(std::unique(scorer.columns_.begin(), scorer.columns_.end()), scorer.columns_.end());
  for (const Hypothesis& hypothesis : model.hypotheses) {
    std::vector<CodeCut>& cuts = scorer.cuts_.emplace_back();
    for (const Cut& cut : hypothesis.cuts) {
      const auto column = std::lower_bound(scorer.columns_.begin(), scorer.columns_.end(), number_of(cut));
      MASH_ASSIGN(const std::uint32_t first, first_code(cut, number_of(cut), features));
      cuts.push_back({std::uint32_t(column - scorer.columns_.begin()), first});
    }
  }
  const std::size_t largest = answers_per_table(scorer.num_classes_);
  for (std::size_t t = 0; t < model.hypotheses.size();) {
    const Hypothesis& first = model.hypotheses[t];
    std::size_t end = t + 1;
    while (!first.is_tree() && end < model.hypotheses.size() && end < t + largest &&
           !model.hypotheses[end].is_tree())
      ++end;
    const auto members = std::span(model.hypotheses).subspan(t, end - t);
    scorer.groups_.push_back(
        {t, members.size(),
         first.is_tree() ? table_of_leaves(first) : table_of_answers(members, scorer.num_classes_)});
    t = end;
  }
  return scorer;
}

void CodeScorer::find_cells(const Group& group, std::span<const FeatureColumn> columns, std::size_t begin,
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

std::vector<FeatureColumn> CodeScorer::read(Side side, const Workers& workers) const {
  constexpr std::size_t kPageSize = 4096;
  std::vector<FeatureColumn> columns(columns_.size());
  workers.for_ranges(columns.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      columns[i] = features_->column(side, columns_[i]);
      for (std::size_t n = 0; n < columns[i].codes.size(); n += kPageSize) {
        const volatile std::uint8_t* code = &columns[i].codes[n];
        *code;  // maps its page
      }
    }
  });
  return columns;
}

std::vector<double> CodeScorer::scores(std::span<const FeatureColumn> columns, const Workers& workers) const {
  const std::size_t num_examples = columns.empty() ? 0 : columns[0].codes.size();
  std::vector<double> scores(num_examples * num_classes_);
  workers.for_blocks(num_examples, kTile, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::array<std::uint8_t, kTile> buffer;
    const auto cells = std::span(buffer).first(end - begin);
    for (const Group& group : groups_) {
      find_cells(group, columns, begin, cells);
      add_table_rows(cells, group.table, num_classes_, &scores[begin * num_classes_]);
    }
  });
  return scores;
}

}  // namespace mash
#endif
