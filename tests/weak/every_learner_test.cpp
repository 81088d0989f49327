// SPDX-License-Identifier: Apache-2.0
// Every weak learner by every search, on every implementation and however features are kept, over all small
// data sets of two features, with the weights of a first round and with those that each loss makes of it.
// Stumps of one feature, in more detail: tests/scan/every_engine_test.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "classifiers/boosters/whole_side/step_rule.hpp"
#include "classifiers/builtin.hpp"
#include "framework/base/hash.hpp"
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
constexpr std::size_t kMostExamples = 2;  // a sanitizer takes its time
#else
constexpr std::size_t kMostExamples = 3;
#endif
constexpr std::size_t kMostClasses = 2;
constexpr int kHeaviest = 2;

using Column = std::vector<int>;  // of each example: the rank of its value, from 1; 0: missing

// All columns of values that differ in more than their sizes, which no search looks at.
std::vector<Column> all_columns(std::size_t num_examples) {
  std::vector<Column> columns;
  Column column(num_examples);
  for (bool is_last = false; !is_last;) {
    int highest = *std::max_element(column.begin(), column.end());
    for (int rank = 1; rank < highest; ++rank)
      if (std::find(column.begin(), column.end(), rank) == column.end()) highest = -1;
    if (highest >= 0) columns.push_back(column);
    is_last = true;  // the next number, with num_examples + 1 digits
    for (int& rank : column) {
      rank = rank == int(num_examples) ? 0 : rank + 1;
      if (rank != 0) {
        is_last = false;
        break;
      }
    }
  }
  return columns;
}

// Each column twice, so that two features can be equal. padding: examples behind the others, equal to the
// first one.
Dataset table_of(const std::vector<Column>& columns, std::size_t padding) {
  const std::size_t num_examples = columns[0].size();
  std::vector<float> values;
  for (std::size_t n = 0; n < num_examples + padding; ++n)
    for (int copy = 0; copy < 2; ++copy)
      for (const Column& column : columns) {
        const int rank = column[n < num_examples ? n : 0];
        values.push_back(rank == 0 ? std::numeric_limits<float>::quiet_NaN() : float(rank));
      }
  return testing::table(values, std::vector<std::uint16_t>(num_examples + padding), 1);
}

// All columns of so few examples, in each way in which they are kept.
class Tables {
 public:
  explicit Tables(std::size_t num_examples)
      : columns(all_columns(num_examples)),
        stored_(table_of(columns, 0), 1, true),
        // Enough examples that those of a leaf are read by row: they are a small part.
        padded_(table_of(columns, 64 - num_examples), 1, true) {
    stored_.store.limit = 0;
    auto lazy = FeatureSet::open(stored_.specs, stored_.store, stored_.context());
    if (!lazy.ok()) throw std::runtime_error(lazy.error().message);
    on_demand_ = *std::move(lazy);
  }
  const FeatureSet& features(Kept kept) const {
    return kept == Kept::kByColumn ? stored_.features()
           : kept == Kept::kByRow  ? padded_.features()
                                   : *on_demand_;
  }
  const Workers& workers() const { return stored_.workers; }

  const std::vector<Column> columns;

 private:
  World stored_, padded_;
  std::optional<FeatureSet> on_demand_;
};

// The better one of two features, on all examples in focus.
class TwoFeatures final : public Sampler {
 public:
  explicit TwoFeatures(std::pair<std::uint32_t, std::uint32_t> features)
      : features_{features.first, features.second} {}
  std::uint32_t propose(StumpScan& scan, const Round& round) override {
    return best_of_all(scan, round, features_);
  }

 private:
  std::vector<std::uint32_t> features_;
};

// Labels and weights of some examples, below num_weightings.
struct Weighting {
  std::size_t num_examples, num_classes, number;

  std::size_t num_kinds() const { return num_classes * kHeaviest; }
  std::size_t num_weightings() const {
    std::size_t count = 1;
    for (std::size_t n = 0; n < num_examples; ++n) count *= num_kinds();
    return count;
  }
  // The difference between examples with the same values.
  std::size_t kind(std::size_t n) const {
    std::size_t rest = number;
    for (; n > 0; --n) rest /= num_kinds();
    return rest % num_kinds();
  }
  std::uint16_t label(std::size_t n) const { return std::uint16_t(kind(n) / kHeaviest); }
  int weight(std::size_t n) const { return int(kind(n) % kHeaviest) + 1; }
};

// body(weighting, features) for each data set, up to the order of its examples and of its features.
template <class Body>
void for_all_data_sets(const std::vector<Column>& columns, std::size_t num_classes, const Body& body) {
  const std::size_t num_examples = columns[0].size();
  Weighting weighting{num_examples, num_classes, 0};
  for (; weighting.number < weighting.num_weightings(); ++weighting.number)
    for (std::uint32_t i = 0; i < columns.size(); ++i)
      for (std::uint32_t j = i; j < columns.size(); ++j) {
        const auto example = [&](std::size_t n) {
          return std::tuple(columns[i][n], columns[j][n], weighting.kind(n));
        };
        bool is_in_order = true;
        for (std::size_t n = 1; n < num_examples; ++n) is_in_order &= example(n - 1) <= example(n);
        if (is_in_order) body(weighting, std::pair(i, std::uint32_t(columns.size()) + j));
      }
}

// All that a hypothesis is, in one number; of its cells those of the examples that are not padding.
std::uint64_t digest_of(const WeakHypothesis& hypothesis, std::size_t num_examples) {
  std::vector<double> numbers{hypothesis.edge, hypothesis.model.alpha};
  for (const Cut& cut : hypothesis.model.cuts) {
    numbers.push_back(cut.feature_idx);
    numbers.push_back(double(cut.threshold));
  }
  for (const Branches& branches : hypothesis.model.branches)
    for (const std::int32_t branch : {branches.below, branches.above}) numbers.push_back(branch);
  numbers.insert(numbers.end(), hypothesis.model.votes.begin(), hypothesis.model.votes.end());
  numbers.insert(numbers.end(), hypothesis.cells.begin(),
                 hypothesis.cells.begin() + std::ptrdiff_t(num_examples));
  return checksum(std::as_bytes(std::span(numbers)));
}

// The edge of a hypothesis by its definition.
double edge_of(const WeakHypothesis& hypothesis, const SignedWeights& weights) {
  double edge = 0;
  for (std::size_t n = 0; n < weights.num_examples(); ++n)
    for (std::size_t l = 0; l < weights.num_classes(); ++l)
      edge += weights.row(n)[l] * hypothesis.votes[hypothesis.cells[n] * weights.num_classes() + l];
  return edge;
}

// The hypotheses of a learner for each data set.
struct Learned {
  std::vector<std::uint64_t> first;   // digests, of the hypothesis of the first round
  std::vector<std::uint64_t> second;  // of that after it, for each loss
  std::vector<double> edges;          // of the first
};

struct Learning {
  const WeakLearner& learner;
  const EdgeSearchRow& search;
  std::size_t num_classes;
};

Learned learn_all(const Learning& learning, const Target& target, const Tables& tables) {
  EXPECT_TRUE(choose_instruction_set(target.implementation));
  const FeatureSet& features = tables.features(target.kept);
  Learned learned;
  for_all_data_sets(tables.columns, learning.num_classes, [&](const Weighting& weighting, auto two_features) {
    std::vector<std::uint16_t> labels(features.num_train());
    for (std::size_t n = 0; n < weighting.num_examples; ++n) labels[n] = weighting.label(n);
    SignedWeights initial(labels, learning.num_classes);
    for (std::size_t n = 0; n < weighting.num_examples; ++n)
      for (std::size_t l = 0; l < learning.num_classes; ++l)
        initial.row(n)[l] = weighting.label(n) == l ? weighting.weight(n) : -weighting.weight(n);
    initial.normalise(tables.workers());
    SignedWeights weights = initial;
    StumpScan scan(features, weights, {learning.search.mode, learning.search.cuts}, tables.workers());
    TwoFeatures sampler(two_features);
    scan.new_round(1, 1);
    const WeakHypothesis first = learning.learner.learn(scan, sampler, {1, 1});
    learned.first.push_back(digest_of(first, weighting.num_examples));
    learned.edges.push_back(first.edge);
    EXPECT_NEAR(first.edge, edge_of(first, weights), 1e-12);
    // Steps count examples, padding too; and features by row or on demand are what they were in the first
    // round.
    if (target.kept != Kept::kByColumn) return;
    for (const LossRow& row : builtin_losses()) {
      weights = initial;
      WeakHypothesis stepped = first;
      Scores scores(features.num_train(), learning.num_classes, tables.workers());
      make_step_rule(row.loss(), initial, tables.workers())->step(stepped, weights, scores);
      scan.new_round(1, 2);
      const WeakHypothesis second = learning.learner.learn(scan, sampler, {1, 2});
      learned.second.push_back(digest_of(stepped, weighting.num_examples));
      learned.second.push_back(digest_of(second, weighting.num_examples));
    }
  });
  choose_instruction_set("");
  return learned;
}

// How much worse than the best a stump may be that a search on rounded weights chose, by its edge in doubles:
// see most_error in tests/scan/every_engine_test.cpp; the largest weight is at most that of an example of
// one.
double most_loss(const EdgeSearchRow& search, const Tables& tables, std::size_t num_classes) {
  if (search.mode == ScanMode::kF64) return 1e-12;
  const auto num_weights = double(tables.columns[0].size() * num_classes);
  // The largest is that of an example of weight 2 among others of weight 1.
  const double largest = 2 / (num_weights + double(num_classes));
  if (search.mode == ScanMode::kI16)
    return num_weights / std::min(32767 / largest, 0x1p14 * double(num_classes)) + 1e-12;
  return 2 * num_weights * largest / 127 + 1e-12;
}

class EveryLearner : public ::testing::TestWithParam<WeakLearnerRow> {};

TEST_P(EveryLearner, LearnsTheSameFromEverySmallDataSetOnEveryTarget) {
  Settings settings;
  const auto learner = GetParam().make(settings);
  ASSERT_TRUE(learner.ok());
  const bool is_stump = GetParam().name == "stump";
  const std::vector<Target> targets = all_targets();
  std::size_t num_data_sets = 0;
  for (std::size_t num_examples = 1; num_examples <= kMostExamples; ++num_examples) {
    const Tables tables(num_examples);
    for (std::size_t num_classes = 1; num_classes <= kMostClasses; ++num_classes) {
      std::vector<double> best;  // edges of the reference
      for (const EdgeSearchRow& search : edge_searches()) {
        const std::string where = fmt::format("{}, N = {}, K = {}", search.name, num_examples, num_classes);
        const Learning learning{**learner, search, num_classes};
        const Learned plain = learn_all(learning, targets[0], tables);
        ASSERT_FALSE(HasFailure()) << where;
        for (const Target& target : std::span(targets).subspan(1)) {
          const Learned other = learn_all(learning, target, tables);
          ASSERT_EQ(plain.first, other.first) << where << ", " << target.name;
          ASSERT_EQ(plain.edges, other.edges) << where << ", " << target.name;
          if (target.kept == Kept::kByColumn) {
            ASSERT_EQ(plain.second, other.second) << where << ", " << target.name;
          }
        }
        if (best.empty()) {  // the first search is the reference
          best = plain.edges;
          num_data_sets += best.size();
        }
        const double loss = most_loss(search, tables, num_classes);
        for (std::size_t i = 0; is_stump && i < best.size(); ++i)
          ASSERT_GE(plain.edges[i], best[i] - loss) << where << ", data set " << i;
      }
    }
  }
  fmt::print(
      "{}: {} data sets, each by {} searches on {} targets, and again after a step of each of {} losses\n",
      GetParam().name, num_data_sets, edge_searches().size(), targets.size(), builtin_losses().size());
}
INSTANTIATE_TEST_SUITE_P(WeakLearners, EveryLearner,
                         ::testing::ValuesIn(builtin_weak_learners().begin(), builtin_weak_learners().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mash
