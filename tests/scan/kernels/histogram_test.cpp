// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "classifiers/scan/kernels/pass_width.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

// Uses one instruction set for as long as it lives.
class TargetScope {
 public:
  explicit TargetScope(const char* name) { found_ = choose_instruction_set(name); }
  ~TargetScope() { choose_instruction_set(""); }
  bool found() const { return found_; }

 private:
  bool found_;
};

template <class Weight>
struct Rows {
  std::vector<Weight> weights;
  std::vector<std::int32_t> totals;
  std::vector<RowBlock> blocks;
  std::size_t num_rows;
  Strips strips;

  // largest: of the sizes of the weights. Small ones make one block, large ones a block a row.
  Rows(std::size_t num_rows, std::size_t num_classes, RandomStream& stream, std::int64_t largest)
      : num_rows(num_rows), strips(num_classes) {
    weights.resize(num_rows * strips.num_all_lanes());
    totals.resize(strips.num_all_lanes());
    for (std::size_t r = 0; r < num_rows; ++r)
      for (std::size_t l = 0; l < num_classes; ++l) {
        const auto weight = Weight(std::int64_t(stream.below(std::uint64_t(2 * largest + 1))) - largest);
        weights[strips.at(l / strips.num_lanes, r, num_rows) + l % strips.num_lanes] = weight;
        totals[l] += weight;
      }
    append_blocks(weights.data(), num_rows, strips, 0, num_rows, blocks);
  }
  WeightRows<Weight> view() const { return {weights.data(), num_rows, strips, totals.data(), blocks}; }
};

struct Codes {
  std::vector<std::uint8_t> codes;
  std::uint32_t num_cuts;
  std::uint32_t skip_code = CodeColumn::kNoMode;

  CodeColumn view() const { return {codes.data(), num_cuts, skip_code}; }
};

// Codes 0 ... num_cuts, of which `mode` has this share beside its own chance.
Codes random_codes(std::size_t num_rows, std::uint32_t num_cuts, double mode_share, std::uint32_t mode,
                   RandomStream& stream) {
  Codes column{std::vector<std::uint8_t>(num_rows), num_cuts};
  for (auto& code : column.codes)
    code = std::uint8_t(stream.uniform() < mode_share ? mode : stream.below(num_cuts + 1));
  return column;
}

// Dense and skewed columns in an order that makes groups of four, two, one and none.
std::vector<Codes> all_kinds_of_columns(std::size_t num_rows, RandomStream& stream) {
  std::vector<Codes> columns{
      random_codes(num_rows, 255, 0, 0, stream),     random_codes(num_rows, 15, 0, 0, stream),
      random_codes(num_rows, 255, 0.9, 7, stream),   random_codes(num_rows, 1, 0, 0, stream),
      random_codes(num_rows, 0, 0, 0, stream),       random_codes(num_rows, 20, 0.8, 0, stream),
      random_codes(num_rows, 3, 0.7, 3, stream),     random_codes(num_rows, 40, 0, 0, stream),
      random_codes(num_rows, 255, 0.95, 255, stream)};
  columns[2].skip_code = 7;
  columns[5].skip_code = 0;
  columns[6].skip_code = 3;
  columns[8].skip_code = 255;
  for (const std::uint32_t num_cuts : {255u, 2u, 100u, 7u, 255u})
    columns.push_back(random_codes(num_rows, num_cuts, .3, 1, stream));
  return columns;
}

template <class Weight>
void expect_equal_to_reference(const std::vector<Codes>& columns, const WeightRows<Weight>& rows) {
  std::vector<CodeColumn> views;
  std::vector<IntegerCut> expected;
  for (const Codes& column : columns) {
    views.push_back(column.view());
    expected.push_back(best_cut_reference(views.back(), rows));
  }
  for (const char* target : instruction_sets()) {
    const TargetScope scope(target);
    ASSERT_TRUE(scope.found()) << target;
    for (const std::size_t width : kPassWidths) {
      std::vector<IntegerCut> found(views.size());
      best_cuts(views, rows, width, found.data());
      for (std::size_t i = 0; i < views.size(); ++i) {
        SCOPED_TRACE(
            fmt::format("{}, {} features a pass, {} rows, column {}", target, width, rows.num_rows, i));
        ASSERT_EQ(found[i].cut, expected[i].cut);
        ASSERT_EQ(found[i].sum, expected[i].sum);
      }
    }
  }
}

template <class Weight>
void expect_equal_to_reference(std::size_t num_rows, std::size_t num_classes,
                               std::int64_t largest = std::numeric_limits<Weight>::max()) {
  RandomStream stream(num_rows, "test.histogram", num_classes);
  const Rows<Weight> rows(num_rows, num_classes, stream, largest);
  expect_equal_to_reference(all_kinds_of_columns(num_rows, stream), rows.view());
}

// Every number of rows around the vector widths and the tails that they leave.
std::vector<std::size_t> tail_lengths() {
  std::vector<std::size_t> lengths;
  for (std::size_t n = 0; n <= 70; ++n) lengths.push_back(n);
  lengths.insert(lengths.end(), {127, 128, 129, 130, 1000});
  return lengths;
}

class HistogramOfClasses : public ::testing::TestWithParam<std::size_t> {};

TEST_P(HistogramOfClasses, SixteenBitsEqualTheReferenceAtEveryTailLength) {
  for (const std::size_t num_rows : tail_lengths())
    for (const std::int64_t largest : {30, 3000, 32767})
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference<std::int16_t>(num_rows, GetParam(), largest));
}

TEST_P(HistogramOfClasses, EightBitsEqualTheReferenceAtEveryTailLength) {
  for (const std::size_t num_rows : tail_lengths())
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference<std::int8_t>(num_rows, GetParam()));
}

// Several blocks, each long enough that sparse columns are summed in 16 bits too, over more rows than are
// listed or gone over at once.
TEST_P(HistogramOfClasses, LongBlocksEqualTheReference) {
  for (const std::size_t num_rows : {4096, 9000, 20001})
    for (const std::int64_t largest : {3, 15}) {
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference<std::int16_t>(num_rows, GetParam(), largest));
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference<std::int8_t>(num_rows, GetParam(), largest));
    }
}

// All rows of a column in one bin, and blocks of any sums up to the limit: sums that go to the ends of 16
// bits and back, with and without a look before the next block. Where the blocks are long, these are mostly
// rows of zeros: sums in 16 bits are kept only where they are seldom looked at.
TEST_P(HistogramOfClasses, SumsAtTheEndsOfSixteenBitsEqualTheReference) {
  const std::size_t num_classes = GetParam();
  RandomStream stream(1, "test.histogram.ends", num_classes);
  constexpr int kShort = 40, kLong = 4;  // trials
  constexpr std::uint32_t kBlocks = 60;
  for (int trial = 0; trial < kShort + kLong; ++trial) {
    const std::uint32_t rows_of_a_block = trial < kShort ? 1 : 1100;
    Rows<std::int16_t> rows(kBlocks * rows_of_a_block, num_classes, stream, 0);
    rows.blocks.clear();
    const bool all_up = trial % 2 == 0;
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      std::int32_t largest = 0;
      for (std::size_t l = 0; l < num_classes; ++l) {
        constexpr std::int32_t kSizes[] = {0, 1, 10922, 10923, 16383, 16384, 21845, 32766, 32767};
        const std::int32_t size = kSizes[stream.below(std::size(kSizes))];
        const std::int32_t weight = all_up || stream.below(2) == 0 ? size : -size;
        largest = std::max(largest, size);
        rows.weights[rows.strips.at(l / rows.strips.num_lanes, b * rows_of_a_block, rows.num_rows) +
                     l % rows.strips.num_lanes] = std::int16_t(weight);
        rows.totals[l] += weight;
      }
      rows.blocks.push_back({(b + 1) * rows_of_a_block, largest});
    }
    for (const double share : {0., .5, 1.}) {
      std::vector<Codes> columns{random_codes(rows.num_rows, 2, share, 1, stream),
                                 random_codes(rows.num_rows, 5, 1 - share, 5, stream),
                                 random_codes(rows.num_rows, 3, share, 3, stream)};
      columns[2].skip_code = 3;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(columns, rows.view())) << trial;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, HistogramOfClasses,
                         ::testing::Values(1, 2, 4, 5, 8, 10, 16, 17, 26, 32, 101),
                         [](const auto& info) { return fmt::format("K{}", info.param); });

// K = 1: the sums of the cuts are worked by hand.
IntegerCut cut_of(std::vector<std::uint8_t> codes, const std::vector<std::int16_t>& weights,
                  std::uint32_t num_cuts, std::uint32_t skip_code = CodeColumn::kNoMode) {
  std::vector<std::int16_t> padded(4 * weights.size());
  std::vector<std::int32_t> totals(4);
  std::vector<RowBlock> blocks;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    padded[4 * r] = weights[r];
    totals[0] += weights[r];
  }
  IntegerCut best;
  const CodeColumn column{codes.data(), num_cuts, skip_code};
  append_blocks(padded.data(), weights.size(), Strips(1), 0, weights.size(), blocks);
  best_cuts({&column, 1},
            WeightRows<std::int16_t>{padded.data(), weights.size(), Strips(1), totals.data(), blocks},
            pass_width(), &best);
  return best;
}

TEST(Histogram, TiesGoToTheLowestCut) {
  // Sums at cuts 0, 1, 2: |1|, |3|, |3|.
  const IntegerCut best = cut_of({0, 1, 2}, {-1, 0, 2}, 2);
  EXPECT_EQ(best.cut, 1u);
  EXPECT_EQ(best.sum, 3);
}

TEST(Histogram, TiesGoToTheConstantBeforeAll) {
  const IntegerCut best = cut_of({0, 1}, {0, 5}, 1);
  EXPECT_EQ(best.cut, 0u);
  EXPECT_EQ(best.sum, 5);
}

TEST(Histogram, ConstantColumnHasTheConstantLearnerOnly) {
  const IntegerCut best = cut_of({0, 0, 0}, {4, -1, -1}, 0);
  EXPECT_EQ(best.cut, 0u);
  EXPECT_EQ(best.sum, 2);
}

TEST(Histogram, SkippedCodeIsCompletedFromTheTotals) {
  const std::vector<std::int16_t> weights{-3, -3, 7, -3};
  for (const std::uint32_t skip : {std::uint32_t(CodeColumn::kNoMode), 0u, 1u, 2u}) {
    const IntegerCut best = cut_of({0, 0, 1, 2}, weights, 2, skip);
    EXPECT_EQ(best.cut, 1u) << skip;
    EXPECT_EQ(best.sum, 10) << skip;
  }
}

TEST(Histogram, NoColumnsAreNoWork) {
  const std::vector<std::int32_t> totals(4);
  const IntegerCut untouched{7, 7};
  std::vector<IntegerCut> cuts(1, untouched);
  best_cuts({}, WeightRows<std::int16_t>{nullptr, 0, Strips(1), totals.data(), {}}, pass_width(),
            cuts.data());
  EXPECT_EQ(cuts[0].cut, untouched.cut) << "what is not asked for is not written";
  EXPECT_EQ(cuts[0].sum, untouched.sum);
}

}  // namespace
}  // namespace mash
