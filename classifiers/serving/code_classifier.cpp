// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/code_classifier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/serving/code_classifier.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Row n of `sums` += row cells[n] of `table`.
void add_short_rows(std::span<const std::uint8_t> cells, const std::int16_t* HWY_RESTRICT table,
                    std::size_t row_size, std::int16_t* HWY_RESTRICT sums) {
  constexpr hn::CappedTag<std::int16_t, kTableLanes> d;
  for (std::size_t n = 0; n < cells.size(); ++n, sums += row_size) {
    const std::int16_t* row = table + cells[n] * row_size;
    for (std::size_t l = 0; l < row_size; l += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, sums + l), hn::LoadU(d, row + l)), d, sums + l);
  }
}

// Row n of `scores` += row codes[n] of each table.
template <std::size_t kTables>
HWY_INLINE void add_rows_of_codes(const CodeTable* tables, std::size_t num_examples, std::size_t row_size,
                                  float* HWY_RESTRICT scores) {
  constexpr hn::CappedTag<float, kTableLanes> d;
  for (std::size_t n = 0; n < num_examples; ++n, scores += row_size)
    for (std::size_t l = 0; l < row_size; l += hn::Lanes(d)) {
      auto sum = hn::LoadU(d, scores + l);
      for (std::size_t i = 0; i < kTables; ++i)
        sum = hn::Add(sum, hn::LoadU(d, tables[i].table + tables[i].codes[n] * row_size + l));
      hn::StoreU(sum, d, scores + l);
    }
}

// Four tables at a time, so that scores are read and written a fourth as often.
void add_code_tables(std::span<const CodeTable> tables, std::size_t num_examples, std::size_t row_size,
                     float* HWY_RESTRICT scores) {
  for (; tables.size() >= 4; tables = tables.subspan(4))
    add_rows_of_codes<4>(tables.data(), num_examples, row_size, scores);
  for (; !tables.empty(); tables = tables.subspan(1))
    add_rows_of_codes<1>(tables.data(), num_examples, row_size, scores);
}

// scores += unit * sums, and sums = 0.
void take_sums(std::size_t size, float unit, std::int16_t* HWY_RESTRICT sums, float* HWY_RESTRICT scores) {
  constexpr hn::CappedTag<float, kTableLanes> d;
  const hn::Rebind<std::int16_t, decltype(d)> d_short;
  const hn::RebindToSigned<decltype(d)> d_int;
  const auto units = hn::Set(d, unit);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const auto sum = hn::ConvertTo(d, hn::PromoteTo(d_int, hn::LoadU(d_short, sums + i)));
    hn::StoreU(hn::MulAdd(sum, units, hn::LoadU(d, scores + i)), d, scores + i);
    hn::StoreU(hn::Zero(d_short), d_short, sums + i);
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_short_rows);
HWY_EXPORT(take_sums);
HWY_EXPORT(add_code_tables);

void add_rows(std::span<const std::uint8_t> cells, std::span<const std::int16_t> table, std::size_t row_size,
              std::int16_t* sums) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(add_short_rows)(cells, table.data(), row_size, sums);
  for (std::size_t n = 0; n < cells.size(); ++n)
    for (std::size_t l = 0; l < row_size; ++l)
      sums[n * row_size + l] = std::int16_t(sums[n * row_size + l] + table[cells[n] * row_size + l]);
}

void add_to_scores(float unit, std::span<std::int16_t> sums, float* scores) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(take_sums)(sums.size(), unit, sums.data(), scores);
  for (std::int16_t& sum : sums) *scores++ += float(std::exchange(sum, std::int16_t(0))) * unit;
}

void add_tables(std::span<const CodeTable> tables, std::size_t num_examples, std::size_t row_size,
                float* scores) {
  if (!uses_plain_loops())
    return HWY_DYNAMIC_DISPATCH(add_code_tables)(tables, num_examples, row_size, scores);
  for (const CodeTable& table : tables)
    for (std::size_t n = 0; n < num_examples; ++n)
      for (std::size_t l = 0; l < row_size; ++l)
        scores[n * row_size + l] += table.table[table.codes[n] * row_size + l];
}

// Where there are few classes, a table and the sums of a tile of examples stay in the first-level cache.
constexpr std::size_t kTableBytes = std::size_t(16) << 10, kSumBytes = std::size_t(16) << 10;
constexpr std::size_t kLargestTile = kSumBytes / (kTableLanes * sizeof(std::int16_t)), kSmallestTile = 64;
// Tables that are added up in 16 bits: few enough that rounding leaves few examples in doubt.
constexpr std::size_t kTablesPerSum = 8;
// The table of a feature's codes, beyond which the second-level cache is too small for it.
constexpr std::size_t kLargestCodeTable = std::size_t(256) << 10;
constexpr std::size_t kNumCodes = 256;

std::size_t rows_of(std::size_t num_bytes, std::size_t row_size) {
  return num_bytes / (row_size * sizeof(std::int16_t));
}

// How many answers, a bit each, a table fits into its share of the cache for.
std::size_t answers_per_table(std::size_t row_size) {
  const std::size_t num_rows = std::max<std::size_t>(2, rows_of(kTableBytes, row_size));
  return std::min<std::size_t>(8, std::size_t(std::bit_width(num_rows)) - 1);
}

double largest_magnitude(std::span<const double> table) {
  double largest = 0;
  for (const double x : table) largest = std::max(largest, std::abs(x));
  return largest;
}

// As many 16-bit numbers, each a multiple of unit.
std::vector<std::int16_t> in_units(std::span<const double> table, float unit) {
  std::vector<std::int16_t> result;
  result.reserve(table.size());
  for (const double x : table) result.push_back(std::int16_t(std::lround(x / double(unit))));
  return result;
}

// As first_code_of. Errors (kInput): the store does not have the threshold.
Result<std::uint8_t> known_first_code(const Cut& cut, const FeatureSet& features) {
  if (const auto first = first_code_of(cut, features)) return *first;
  return input_error(
      "feature {} of {}: the store has no threshold {}: the model was trained on another training side, "
      "with `cuts: exact` or with this family beyond the limit of the store; predict without a store",
      cut.feature_idx, features.families()[cut.family_idx].spec.name, cut.threshold);
}

std::vector<double> table_of_leaves(const Hypothesis& tree, std::size_t num_classes, std::size_t row_size) {
  std::vector<double> table(row_size * tree.num_cells());
  for (std::size_t cell = 0; cell < tree.num_cells(); ++cell)
    for (std::size_t l = 0; l < num_classes; ++l)
      table[cell * row_size + l] = tree.alpha * tree.votes[cell * num_classes + l];
  return table;
}

}  // namespace

Result<CodeClassifier> CodeClassifier::make(const StrongClassifier& model, const FeatureSet& features) {
  for (std::size_t k = 0; k < model.families.size(); ++k)
    MASH_TRY(check_dim(model.families[k], features.family_size(k)));
  CodeClassifier classifier;
  classifier.num_classes_ = model.num_classes();
  classifier.row_size_ = (model.num_classes() + kTableLanes - 1) / kTableLanes * kTableLanes;
  classifier.features_ = &features;
  classifier.hypotheses_ = model.hypotheses;
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts) classifier.columns_.push_back(feature_of(cut, features));
  std::sort(classifier.columns_.begin(), classifier.columns_.end());
  classifier.columns_.erase(std::unique(classifier.columns_.begin(), classifier.columns_.end()),
                            classifier.columns_.end());
  for (const Hypothesis& hypothesis : model.hypotheses) {
    classifier.votes_.push_back(cell_votes(hypothesis));
    std::vector<CodeCut>& cuts = classifier.cuts_.emplace_back();
    for (const Cut& cut : hypothesis.cuts) {
      const auto column =
          std::lower_bound(classifier.columns_.begin(), classifier.columns_.end(), feature_of(cut, features));
      MASH_ASSIGN(const std::uint8_t first, known_first_code(cut, features));
      cuts.push_back({std::uint32_t(column - classifier.columns_.begin()), first});
    }
    classifier.terms_.push_back({hypothesis.alpha, cuts.size() == 1 && !hypothesis.is_tree(), cuts[0]});
  }
  classifier.make_tables(score_bound(model));
  return classifier;
}

// The sums of alpha v of hypotheses with two cells for every set of answers: bit i is 1 where hypothesis i
// says v, and 0 where it says -v.
std::vector<double> CodeClassifier::table_of_answers(std::span<const std::size_t> hypotheses) const {
  std::vector<double> table(row_size_ << hypotheses.size());
  for (std::size_t answers = 0; answers < std::size_t(1) << hypotheses.size(); ++answers)
    for (std::size_t l = 0; l < num_classes_; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < hypotheses.size(); ++i)
        sum +=
            (answers >> i & 1 ? 1 : -1) * terms_[hypotheses[i]].alpha * hypotheses_[hypotheses[i]].votes[l];
      table[answers * row_size_ + l] = sum;
    }
  return table;
}

// At each code, the sum of alpha v of the stumps whose cut holds there, and of -alpha v of the others.
std::vector<double> CodeClassifier::table_of_codes(std::span<const std::size_t> stumps) const {
  std::vector<double> table(kNumCodes * row_size_);
  for (const std::size_t t : stumps)
    for (std::size_t code = 0; code < kNumCodes; ++code) {
      const double alpha =
          code_holds(std::uint8_t(code), terms_[t].cut.first) ? terms_[t].alpha : -terms_[t].alpha;
      for (std::size_t l = 0; l < num_classes_; ++l)
        table[code * row_size_ + l] += alpha * hypotheses_[t].votes[l];
    }
  return table;
}

void CodeClassifier::make_column_tables(std::size_t most, double score_bound, std::vector<bool>& done) {
  if (kNumCodes * row_size_ * sizeof(float) > kLargestCodeTable) return;
  std::vector<std::vector<std::size_t>> stumps(columns_.size());
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].is_stump) stumps[terms_[t].cut.column].push_back(t);
  for (std::size_t column = 0; column < stumps.size(); ++column) {
    if (stumps[column].size() <= most) continue;
    for (const std::size_t t : stumps[column]) done[t] = true;
    std::vector<float> table;
    for (const double x : table_of_codes(stumps[column]))
      table.push_back(float(score_bound > 0 ? x / score_bound : x));
    column_tables_.push_back({std::uint32_t(column), std::move(table)});
  }
}

void CodeClassifier::make_tables(double score_bound) {
  const std::size_t largest = answers_per_table(row_size_);
  std::vector<bool> done(hypotheses_.size());
  make_column_tables(largest, score_bound, done);
  std::vector<std::size_t> trees, others;
  for (std::size_t t = 0; t < hypotheses_.size(); ++t)
    if (!done[t]) (hypotheses_[t].is_tree() ? trees : others).push_back(t);
  for (const std::size_t t : trees) groups_.push_back({{t}, {}});
  for (std::size_t i = 0; i < others.size(); i += largest) {
    const auto members = std::span(others).subspan(i, std::min(largest, others.size() - i));
    groups_.push_back({{members.begin(), members.end()}, {}});
  }
  std::vector<std::vector<double>> tables;
  for (const Group& group : groups_) {
    const Hypothesis& first = hypotheses_[group.hypotheses[0]];
    std::vector<double>& table =
        tables.emplace_back(first.is_tree() ? table_of_leaves(first, num_classes_, row_size_)
                                            : table_of_answers(group.hypotheses));
    if (score_bound > 0)
      for (double& x : table) x /= score_bound;
  }
  for (std::size_t begin = 0; begin < groups_.size(); begin += kTablesPerSum) {
    const std::size_t end = std::min(begin + kTablesPerSum, groups_.size());
    // No sum of rounded entries is beyond what 16 bits hold.
    double largest_sum = 0;
    for (std::size_t i = begin; i < end; ++i) largest_sum += largest_magnitude(tables[i]);
    const float unit =
        std::max(float(largest_sum / (32766 - 0.5 * double(end - begin))), std::numeric_limits<float>::min());
    for (std::size_t i = begin; i < end; ++i) groups_[i].table = in_units(tables[i], unit);
    sums_.push_back({begin, end - begin, unit});
    largest_error_ += 0.5 * double(end - begin) * double(unit);
  }
  // Each sum is multiplied by its unit and added in single precision, as tables of codes are added, whose
  // entries are rounded too: half an epsilon each of at most 1, and as much again for sums that rounding made
  // larger.
  largest_error_ +=
      double(sums_.size() + column_tables_.size() + 1) * double(std::numeric_limits<float>::epsilon());
}

void CodeClassifier::find_cells(const Group& group, Columns columns, std::size_t begin,
                                std::span<std::uint8_t> cells) const {
  const Hypothesis& first = hypotheses_[group.hypotheses[0]];
  if (first.is_tree()) {
    const std::vector<CodeCut>& cuts = cuts_[group.hypotheses[0]];
    for (std::size_t n = 0; n < cells.size(); ++n)
      cells[n] = std::uint8_t(cell_of(
          first, [&](std::size_t i) { return columns[cuts[i].column].codes[begin + n] >= cuts[i].first; }));
    return;
  }
  // The answer is 1 where an even number of cuts does not hold: with m cuts, m and those that hold have one
  // parity.
  std::uint8_t even = 0;
  for (std::size_t i = 0; i < group.hypotheses.size(); ++i)
    even |= std::uint8_t((1 - cuts_[group.hypotheses[i]].size() % 2) << i);
  std::fill(cells.begin(), cells.end(), even);
  for (std::size_t i = 0; i < group.hypotheses.size(); ++i)
    for (const CodeCut& cut : cuts_[group.hypotheses[i]])
      flip_where_cut_holds(columns[cut.column].codes.subspan(begin, cells.size()), cut.first,
                           std::uint8_t(1 << i), cells);
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

void CodeClassifier::add_column_tables(Columns columns, std::size_t begin, std::size_t end,
                                       float* scores) const {
  std::vector<CodeTable> tables;
  for (const ColumnTable& table : column_tables_)
    tables.push_back({&columns[table.column].codes[begin], table.table.data()});
  add_tables(tables, end - begin, row_size_, scores);
}

std::size_t CodeClassifier::exact_class(Columns columns, std::size_t example,
                                        std::span<const std::size_t> classes) const {
  std::vector<double> scores(classes.size());
  const auto holds = [&](const CodeCut& cut) {
    return code_holds(columns[cut.column].codes[example], cut.first);
  };
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    const std::size_t cell = term.is_stump
                                 ? std::size_t(holds(term.cut))
                                 : cell_of(hypotheses_[t], [&](std::size_t i) { return holds(cuts_[t][i]); });
    for (std::size_t i = 0; i < classes.size(); ++i)
      scores[i] += term.alpha * votes_[t][cell * num_classes_ + classes[i]];
  }
  return classes[predicted_class(scores)];
}

std::vector<std::uint16_t> CodeClassifier::classes(const Codes& codes, const Workers& workers) const {
  const Columns columns = codes.columns;
  std::vector<std::uint16_t> classes(codes.num_examples);
  const std::size_t tile = std::max(rows_of(kSumBytes, row_size_), kSmallestTile);
  workers.for_blocks(codes.num_examples, tile, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::array<std::uint8_t, kLargestTile> buffer;
    const auto cells = std::span(buffer).first(end - begin);
    std::vector<std::int16_t> sums(cells.size() * row_size_);
    std::vector<float> scores(sums.size());
    std::vector<std::size_t> close_classes;
    for (const TableSum& sum : sums_) {
      for (const Group& group : std::span(groups_).subspan(sum.first_group, sum.num_groups)) {
        find_cells(group, columns, begin, cells);
        add_rows(cells, group.table, row_size_, sums.data());
      }
      add_to_scores(sum.unit, sums, scores.data());
    }
    add_column_tables(columns, begin, end, scores.data());
    for (std::size_t n = 0; n < cells.size(); ++n) {
      const auto row = std::span<const float>(scores).subspan(n * row_size_, num_classes_);
      const float best = *std::max_element(row.begin(), row.end());
      close_classes.clear();
      for (std::size_t l = 0; l < row.size(); ++l)
        if (double(best) - double(row[l]) <= 2 * largest_error_) close_classes.push_back(l);
      classes[begin + n] = std::uint16_t(
          close_classes.size() == 1 ? close_classes[0] : exact_class(columns, begin + n, close_classes));
    }
  });
  return classes;
}

}  // namespace mash
#endif
