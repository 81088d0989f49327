// SPDX-License-Identifier: Apache-2.0
// Every search, on every implementation and however features are kept, over all small data sets of one
// feature: up to four examples with three values or none, up to three classes, weights of 1 and 2. What is
// right is computed in whole numbers. tests/weak/every_learner_test.cpp does the same for trees and products.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/scan/kernels/histogram.hpp"
#include "classifiers/scan/kernels/pass_width.hpp"
#include "classifiers/scan/stump_scan.hpp"
#include "framework/base/instruction_set.hpp"
#include "tests/support/search_targets.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::all_targets;
using testing::Kept;
using testing::Target;
using testing::World;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kMostExamples = 3;  // a sanitizer takes its time
#else
constexpr std::size_t kMostExamples = 4;
#endif
constexpr std::size_t kMostClasses = 3, kNumValues = 4;  // one of the values: missing
constexpr int kHeaviest = 2;

std::size_t power(std::size_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

// The n-th digit of a number, whose first digit is the last one written.
std::size_t digit(std::size_t number, std::size_t base, std::size_t n) {
  return number / power(base, n) % base;
}

// All features of some examples: feature j has the value digit(j, 4, n) - 1 for example n, missing where that
// is -1. padding: examples behind them, equal to the first one.
Dataset all_columns(std::size_t num_examples, std::size_t padding) {
  const std::size_t num_columns = power(kNumValues, num_examples);
  std::vector<float> values;
  for (std::size_t n = 0; n < num_examples + padding; ++n)
    for (std::size_t j = 0; j < num_columns; ++j) {
      const std::size_t value = digit(j, kNumValues, n < num_examples ? n : 0);
      values.push_back(value == 0 ? std::numeric_limits<float>::quiet_NaN() : float(value - 1));
    }
  return testing::table(values, std::vector<std::uint16_t>(num_examples + padding), 1);
}

// Labels and weights of some examples. With one class, the label is the sign that a problem of two classes
// has in one column.
struct Weighting {
  std::size_t num_examples, num_classes, number;  // below num_weightings

  std::size_t num_labels() const { return num_classes == 1 ? 2 : num_classes; }
  std::size_t num_weightings() const { return power(num_labels() * kHeaviest, num_examples); }
  int weight(std::size_t n) const {
    return int(digit(number, num_labels() * kHeaviest, n) / num_labels()) + 1;
  }
  // The weight of example n and class l.
  int signed_weight(std::size_t n, std::size_t l) const {
    const std::size_t label = digit(number, num_labels() * kHeaviest, n) % num_labels();
    return label == l ? weight(n) : -weight(n);
  }
  int total() const {
    int sum = 0;
    for (std::size_t n = 0; n < num_examples; ++n) sum += weight(n) * int(num_classes);
    return sum;
  }
};

// The edge of the stump that says +1 from this value on, in units of 1 / total.
int edge_in_units(std::size_t feature, std::size_t value, const Weighting& weighting) {
  int edge = 0;
  for (std::size_t l = 0; l < weighting.num_classes; ++l) {
    int of_class = 0;
    for (std::size_t n = 0; n < weighting.num_examples; ++n)
      of_class += (digit(feature, kNumValues, n) >= value ? 1 : -1) * weighting.signed_weight(n, l);
    edge += std::abs(of_class);
  }
  return edge;
}

// The best stump of a feature, by trying every cut: the lowest of equals, the constant first.
struct BestStump {
  int edge = 0;                  // in units of 1 / total
  std::size_t value = 0;         // the lowest above the cut; 0: all are
  float threshold = kConstant;   // half way to the next lower one, at the value itself where that is missing
  std::uint32_t first_code = 0;  // the lowest code that stands for the same cut, where each value has a code
};
BestStump best_stump(std::size_t feature, const Weighting& weighting) {
  BestStump best{edge_in_units(feature, 0, weighting)};
  std::optional<std::size_t> below;
  for (std::size_t value = 0; value < kNumValues; ++value) {
    bool occurs = false;
    for (std::size_t n = 0; n < weighting.num_examples; ++n) occurs |= digit(feature, kNumValues, n) == value;
    if (!occurs) continue;
    if (const int edge = edge_in_units(feature, value, weighting); below && edge > best.edge) {
      const float threshold = *below == 0 ? float(value) - 1 : (float(value) + float(*below)) / 2 - 1;
      best = {edge, value, threshold, std::uint32_t(*below) + 1};
    }
    below = value;
  }
  return best;
}

// All features of a number of examples, in each way in which they are kept.
class Columns {
 public:
  explicit Columns(std::size_t num_examples)
      : num_examples_(num_examples),
        stored_(all_columns(num_examples, 0), 1, true),
        padded_(all_columns(num_examples, num_examples), 1, true) {
    for (std::uint32_t n = 0; n < num_examples; ++n) first_rows_.push_back(n);
    stored_.store.limit = 0;
    auto lazy = FeatureSet::open(stored_.specs, stored_.store, stored_.context());
    if (!lazy.ok()) throw std::runtime_error(lazy.error().message);
    on_demand_ = *std::move(lazy);
  }

  std::size_t num_examples() const { return num_examples_; }
  const Workers& workers() const { return stored_.workers; }
  std::size_t num_features() const { return stored_.features().num_features(); }
  const FeatureSet& features(Kept kept) const {
    return kept == Kept::kByColumn ? stored_.features()
           : kept == Kept::kByRow  ? padded_.features()
                                   : *on_demand_;
  }
  // The examples by row that are not padding: half of the rows of a file are read from rows.
  Focus focus(Kept kept) const { return kept == Kept::kByRow ? Focus{first_rows_, 1} : Focus{}; }

 private:
  std::size_t num_examples_;
  World stored_, padded_;
  std::optional<FeatureSet> on_demand_;
  std::vector<std::uint32_t> first_rows_;
};

// The findings of a search with every weighting, one after the other.
struct Found {
  std::vector<double> edges;        // of each feature, as `find` gives them
  std::vector<double> fit_edges;    // as `fit` gives them
  std::vector<float> thresholds;    // of the fits
  std::vector<std::uint8_t> above;  // what the fits say of each example
};

Found find_all(const EdgeSearchRow& search, const Target& target, const Columns& columns,
               std::size_t num_classes) {
  EXPECT_TRUE(choose_instruction_set(target.implementation));
  const FeatureSet& features = columns.features(target.kept);
  const std::vector<std::uint16_t> labels(features.num_train());  // no search asks for them
  SignedWeights weights(labels, num_classes);
  StumpScan scan(features, weights, {search.mode, search.cuts}, columns.workers());
  std::vector<std::uint32_t> all(features.num_features());
  std::iota(all.begin(), all.end(), 0u);
  Found found;
  Weighting weighting{columns.num_examples(), num_classes, 0};
  for (; weighting.number < weighting.num_weightings(); ++weighting.number) {
    for (std::size_t n = 0; n < columns.num_examples(); ++n)
      for (std::size_t l = 0; l < num_classes; ++l) weights.row(n)[l] = weighting.signed_weight(n, l);
    weights.normalise(columns.workers());
    scan.new_round(1, std::uint32_t(weighting.number));
    if (target.kept == Kept::kByRow) scan.focus(columns.focus(target.kept));
    // Two at least: one alone is fitted.
    for (const Candidate& candidate : scan.evaluate(all)) found.edges.push_back(candidate.edge);
    // Searches on rounded weights fit as the one in doubles does.
    if (search.mode == ScanMode::kF64)
      for (const StumpFit& fit : scan.refit(all)) {
        found.fit_edges.push_back(fit.edge);
        found.thresholds.push_back(fit.threshold);
        found.above.insert(found.above.end(), fit.above.begin(), fit.above.end());
      }
    if (target.kept == Kept::kByRow) scan.end_focus();
  }
  choose_instruction_set("");
  return found;
}

// Where two lists of numbers have other bits, if anywhere.
template <class Number>
std::string difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} numbers", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(Number)) != 0)
      return fmt::format("number {}: {} and {}", i, a[i], b[i]);
  return "";
}

// How far the edge of a cut may be from the one in doubles. A search multiplies weights whose sizes add up to
// 1 by
//
//   s = min(M / largest weight, 2^30), with 16 bits also at most 2^14 K,    M = 32767 or 127,
//
// and rounds them, so that each of the N K weights is wrong by r / s, r = 1/2 to the nearest number and 1 up
// or down at random. The edge of a cut is a sum of magnitudes of sums of all of them with signs: it is wrong
// by at most r N K / s, and so is the largest of all cuts. Of several stumps that are compared by such edges,
// the one that looks best is therefore at most 2 r N K / s worse than the best.
double most_error(const EdgeSearchRow& search, const Weighting& weighting) {
  constexpr double kRounding = 1e-12;  // of the doubles themselves
  if (search.mode == ScanMode::kF64) return kRounding;
  int heaviest = 0;
  for (std::size_t n = 0; n < weighting.num_examples; ++n) heaviest = std::max(heaviest, weighting.weight(n));
  const double largest = double(heaviest) / weighting.total();
  const auto num_classes = double(weighting.num_classes), num_examples = double(weighting.num_examples);
  const bool is_short = search.mode == ScanMode::kI16;
  double scale = std::min((is_short ? 32767 : 127) / largest, 0x1p30);
  if (is_short) scale = std::min(scale, 0x1p14 * num_classes);
  return (is_short ? 0.5 : 1) * num_examples * num_classes / scale + kRounding;
}

// Compares what plain loops have found with what is right.
void expect_right(const EdgeSearchRow& search, const Found& found, std::size_t num_features,
                  Weighting weighting) {
  for (std::size_t i = 0; weighting.number < weighting.num_weightings(); ++weighting.number) {
    const double error = most_error(search, weighting), total = weighting.total();
    double looks_best = -1, is_as_good_as = 0, best = 0;
    for (std::size_t feature = 0; feature < num_features; ++feature, ++i) {
      const BestStump right = best_stump(feature, weighting);
      const double edge = right.edge / total;
      if (std::abs(found.edges[i] - edge) > error)
        FAIL() << "weighting " << weighting.number << ", feature " << feature << ": " << found.edges[i]
               << ", not " << edge;
      best = std::max(best, edge);
      if (found.edges[i] > looks_best) {
        looks_best = found.edges[i];
        is_as_good_as = edge;
      }
      if (found.fit_edges.empty()) continue;
      if (std::abs(found.fit_edges[i] - edge) > error || found.thresholds[i] != right.threshold)
        FAIL() << "weighting " << weighting.number << ", feature " << feature << ": the fit has the edge "
               << found.fit_edges[i] << " at " << found.thresholds[i] << ", not " << edge << " at "
               << right.threshold;
      for (std::size_t n = 0; n < weighting.num_examples; ++n)
        ASSERT_EQ(found.above[i * weighting.num_examples + n], digit(feature, kNumValues, n) >= right.value);
    }
    ASSERT_GE(is_as_good_as, best - 2 * error) << "weighting " << weighting.number;
  }
}

class EveryEngine : public ::testing::TestWithParam<const EdgeSearchRow*> {};

TEST_P(EveryEngine, FindsTheBestStumpOfEverySmallDataSet) {
  const EdgeSearchRow& search = *GetParam();
  const std::vector<Target> targets = all_targets();
  std::size_t num_cases = 0;
  for (std::size_t num_examples = 1; num_examples <= kMostExamples; ++num_examples) {
    const Columns columns(num_examples);
    for (std::size_t num_classes = 1; num_classes <= kMostClasses; ++num_classes) {
      const std::string where = fmt::format("{}, N = {}, K = {}", search.name, num_examples, num_classes);
      const Found plain = find_all(search, targets[0], columns, num_classes);
      num_cases += plain.edges.size();
      expect_right(search, plain, columns.num_features(), {num_examples, num_classes, 0});
      if (HasFatalFailure()) FAIL() << where;
      for (const Target& target : std::span(targets).subspan(1)) {
        const Found other = find_all(search, target, columns, num_classes);
        ASSERT_EQ(difference(plain.edges, other.edges), "") << where << ", " << target.name;
        ASSERT_EQ(difference(plain.fit_edges, other.fit_edges), "") << where << ", " << target.name;
        ASSERT_EQ(difference(plain.thresholds, other.thresholds), "") << where << ", " << target.name;
        ASSERT_EQ(difference(plain.above, other.above), "") << where << ", " << target.name;
      }
    }
  }
  fmt::print("{}: {} data sets, each on {} targets\n", search.name, num_cases, targets.size());
}
INSTANTIATE_TEST_SUITE_P(Searches, EveryEngine, ::testing::ValuesIn([] {
                           std::vector<const EdgeSearchRow*> rows;
                           for (const EdgeSearchRow& row : edge_searches()) rows.push_back(&row);
                           return rows;
                         }()),
                         [](const auto& info) { return std::string(info.param->name); });

// All weightings, and the best stumps of all features with each, one after the other.
struct BestStumps {
  BestStumps(std::size_t num_examples, std::size_t num_classes) : weighting{num_examples, num_classes, 0} {
    for (Weighting one = weighting; one.number < one.num_weightings(); ++one.number)
      for (std::size_t j = 0; j < power(kNumValues, num_examples); ++j) stumps.push_back(best_stump(j, one));
  }
  Weighting weighting;  // the first
  std::vector<BestStump> stumps;
};

// The kernel by itself, on weights that are whole numbers.
template <class Integer>
void expect_first_best_cuts(const BestStumps& right) {
  Weighting weighting = right.weighting;
  const std::size_t num_examples = weighting.num_examples, num_classes = weighting.num_classes;
  const std::size_t num_features = power(kNumValues, num_examples);
  std::vector<std::uint8_t> codes(num_features * num_examples);
  std::vector<CodeColumn> columns;
  for (std::size_t j = 0; j < num_features; ++j) {
    for (std::size_t n = 0; n < num_examples; ++n)
      codes[j * num_examples + n] = std::uint8_t(digit(j, kNumValues, n));
    columns.push_back({&codes[j * num_examples], kNumValues - 1, CodeColumn::kNoMode});
  }
  const Strips strips(num_classes);
  AlignedVector<Integer> weights(num_examples * strips.num_all_lanes());
  std::vector<RowBlock> blocks;
  std::vector<IntegerCut> best(num_features);
  for (; weighting.number < weighting.num_weightings(); ++weighting.number) {
    std::vector<std::int32_t> totals(strips.num_all_lanes());
    for (std::size_t n = 0; n < num_examples; ++n)
      for (std::size_t l = 0; l < num_classes; ++l) {
        weights[n * strips.num_lanes + l] = Integer(weighting.signed_weight(n, l));
        totals[l] += weighting.signed_weight(n, l);
      }
    best_cuts(columns, {weights.data(), num_examples, strips, totals.data(), blocks}, pass_width(),
              best.data());
    for (std::size_t j = 0; j < num_features; ++j) {
      const BestStump& stump = right.stumps[weighting.number * num_features + j];
      if (best[j].sum != stump.edge || best[j].cut != stump.first_code)
        FAIL() << "weighting " << weighting.number << ", feature " << j << ": " << best[j].sum << " at "
               << best[j].cut << ", not " << stump.edge << " at " << stump.first_code;
    }
  }
}

// To the last bit, and of equal cuts the first.
TEST(EveryKernel, FindsTheFirstBestCutOfEverySmallDataSet) {
  for (std::size_t num_examples = 1; num_examples <= kMostExamples; ++num_examples)
    for (std::size_t num_classes = 1; num_classes <= kMostClasses; ++num_classes) {
      const BestStumps right(num_examples, num_classes);
      for (const char* implementation : instruction_sets()) {
        SCOPED_TRACE(fmt::format("{}, N = {}, K = {}", implementation, num_examples, num_classes));
        ASSERT_TRUE(choose_instruction_set(implementation));
        expect_first_best_cuts<std::int16_t>(right);
        expect_first_best_cuts<std::int8_t>(right);
      }
    }
  choose_instruction_set("");
}

}  // namespace
}  // namespace mash
