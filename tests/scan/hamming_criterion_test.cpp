// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/hamming_criterion.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "classifiers/scan/signed_weights.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// Values with their signed weights, K to a value.
struct Problem {
  std::vector<float> values;
  std::vector<double> weights;
  std::size_t num_classes;

  DoubleCut best() const {
    return hamming_criterion().best_cut_of_values(sort_column(values), weights,
                                                  sum_of_rows(weights, num_classes));
  }
};

// gamma of (x >= threshold, votes), straight from its definition.
double edge_of(const Problem& p, float threshold, const std::vector<int>& votes) {
  double edge = 0;
  for (std::size_t n = 0; n < p.values.size(); ++n) {
    const int phi = threshold == -kInf || p.values[n] >= threshold ? 1 : -1;
    for (std::size_t l = 0; l < p.num_classes; ++l) edge += p.weights[n * p.num_classes + l] * votes[l] * phi;
  }
  return edge;
}

std::vector<int> best_votes(const Problem& p, float threshold) {
  std::vector<int> votes(p.num_classes, 1);
  for (std::size_t l = 0; l < p.num_classes; ++l) {
    std::vector<int> only(p.num_classes, 0);
    only[l] = 1;
    votes[l] = edge_of(p, threshold, only) >= 0 ? 1 : -1;
  }
  return votes;
}

// The largest edge over all thresholds that split the values differently, and over all 2^K votes.
double brute_force(const Problem& p) {
  std::vector<float> thresholds{-kInf};
  for (const float x : p.values)
    if (!std::isnan(x) && x != -kInf) thresholds.push_back(x);
  double best = 0;
  for (const float threshold : thresholds)
    for (unsigned pattern = 0; pattern < 1u << p.num_classes; ++pattern) {
      std::vector<int> votes;
      for (std::size_t l = 0; l < p.num_classes; ++l) votes.push_back(pattern >> l & 1 ? 1 : -1);
      best = std::max(best, edge_of(p, threshold, votes));
    }
  return best;
}

// Few distinct values, so that many are equal; one in ten missing where wanted; weights a multiple of 2^-20.
Problem random_problem(std::uint64_t seed, bool with_missing = true, std::uint32_t max_classes = 6) {
  RandomStream stream(seed, "test.exact");
  Problem p;
  p.num_classes = 1 + stream.below(max_classes);
  const std::size_t num_examples = 1 + stream.below(14);
  for (std::size_t n = 0; n < num_examples; ++n) {
    p.values.push_back(with_missing && stream.below(10) == 0 ? kNan : float(stream.below(8)));
    for (std::size_t l = 0; l < p.num_classes; ++l)
      p.weights.push_back((double(stream.below(1 << 21)) - double(1 << 20)) * 0x1p-20);
  }
  return p;
}

RC_GTEST_PROP(HammingCriterion, EqualsBruteForceOverAllCutsAndVotes, (std::uint64_t seed)) {
  const Problem p = random_problem(seed);
  RC_ASSERT(std::abs(p.best().edge - brute_force(p)) <= 1e-12 * (1 + brute_force(p)));
}

RC_GTEST_PROP(HammingCriterion, EdgeIsThatOfItsThreshold, (std::uint64_t seed)) {
  const Problem p = random_problem(seed);
  const DoubleCut cut = p.best();
  RC_ASSERT(std::abs(cut.edge - edge_of(p, cut.threshold, best_votes(p, cut.threshold))) <= 1e-12);
}

RC_GTEST_PROP(HammingCriterion, IsNeverWorseThanTheConstant, (std::uint64_t seed)) {
  const Problem p = random_problem(seed);
  RC_ASSERT(p.best().edge >= edge_of(p, -kInf, best_votes(p, -kInf)) - 1e-12);
}

RC_GTEST_PROP(HammingCriterion, OrderOfExamplesDoesNotMatter, (std::uint64_t seed)) {
  const Problem p = random_problem(seed);
  RandomStream stream(seed, "test.permutation");
  std::vector<std::size_t> order(p.values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  stream.shuffle(std::span(order));
  Problem q{{}, {}, p.num_classes};
  for (const std::size_t n : order) {
    q.values.push_back(p.values[n]);
    for (std::size_t l = 0; l < p.num_classes; ++l) q.weights.push_back(p.weights[n * p.num_classes + l]);
  }
  // The weights are multiples of 2^-20, so that every sum is exact.
  RC_ASSERT(p.best().edge == q.best().edge);
  RC_ASSERT(p.best().threshold == q.best().threshold);
}

RC_GTEST_PROP(HammingCriterion, IncreasingMapsLeaveEdgeAndVotes, (std::uint64_t seed)) {
  const Problem p = random_problem(seed);
  const DoubleCut cut = p.best();
  for (const auto& map : {+[](float x) { return x + 100; }, +[](float x) { return x * x * x - 5; },
                          +[](float x) { return std::sqrt(x); }}) {
    Problem q = p;
    for (float& x : q.values) x = map(x);
    const DoubleCut mapped = q.best();
    RC_ASSERT(mapped.edge == cut.edge);
    RC_ASSERT(mapped.cut == cut.cut);
    RC_ASSERT(best_votes(q, mapped.threshold) == best_votes(p, cut.threshold));
  }
}

RC_GTEST_PROP(HammingCriterion, NegatedValuesHaveTheSameEdge, (std::uint64_t seed)) {
  Problem p = random_problem(seed, false);  // missing values stay on the low side
  const double edge = p.best().edge;
  for (float& x : p.values) x = -x;
  RC_ASSERT(p.best().edge == edge);
}

RC_GTEST_PROP(HammingCriterion, BinsPerDistinctValueGiveTheSame, (std::uint64_t seed)) {
  const Problem p = random_problem(seed, false, 30);
  std::vector<float> distinct = p.values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> sums(distinct.size() * p.num_classes);
  for (std::size_t n = 0; n < p.values.size(); ++n) {
    const auto code =
        std::size_t(std::lower_bound(distinct.begin(), distinct.end(), p.values[n]) - distinct.begin());
    for (std::size_t l = 0; l < p.num_classes; ++l)
      sums[code * p.num_classes + l] += p.weights[n * p.num_classes + l];
  }
  const DoubleCut binned = hamming_criterion().best_cut({sums, distinct.size(), p.num_classes}),
                  sorted = p.best();
  RC_ASSERT(binned.edge == sorted.edge);
  if (binned.cut == 0)
    RC_ASSERT(sorted.threshold == -kInf);
  else
    RC_ASSERT(distinct[binned.cut - 1] < sorted.threshold && sorted.threshold <= distinct[binned.cut]);
  const CutVotes votes = hamming_criterion().votes({sums, distinct.size(), p.num_classes}, binned.cut);
  RC_ASSERT(std::abs(votes.edge - binned.edge) <= 1e-12);
  for (std::size_t l = 0; l < p.num_classes; ++l) {
    RC_ASSERT(votes.cells[l] == -votes.cells[p.num_classes + l]);
    RC_ASSERT(votes.cells[p.num_classes + l] == best_votes(p, sorted.threshold)[l]);
  }
  double sum = 0;
  for (const double edge : class_edges({sums, distinct.size(), p.num_classes}, binned.cut))
    sum += std::abs(edge);
  RC_ASSERT(std::abs(sum - binned.edge) <= 1e-12);
}

// Six examples of three classes with x = (1, 2, 2, 3, 4, 5).
struct WorkedExample {
  const std::vector<float> values{1, 2, 2, 3, 4, 5};
  const std::vector<std::uint16_t> labels{0, 0, 1, 1, 2, 2};
  const std::vector<std::size_t> codes{0, 1, 1, 2, 3, 4};
  SignedWeights weights{labels, 3};
  std::vector<double> sums = std::vector<double>(5 * 3);

  explicit WorkedExample(InitialWeights policy) {
    initialise(policy, Workers(1), weights);
    for (std::size_t n = 0; n < 6; ++n)
      for (std::size_t l = 0; l < 3; ++l) sums[codes[n] * 3 + l] += weights.row(n)[l];
  }
  DoubleCut best() const {
    return hamming_criterion().best_cut_of_values(sort_column(values), weights.all(),
                                                  sum_of_rows(weights.all(), 3));
  }
  double edge(std::uint32_t cut) const {
    double sum = 0;
    for (const double edge : class_edges({sums, 5, 3}, cut)) sum += std::abs(edge);
    return sum;
  }
};

TEST(HammingCriterion, WorkedExampleUniform) {
  const WorkedExample example(InitialWeights::kUniform);
  const double expected[] = {3.0 / 9, 2.0 / 9, 4.0 / 9, 5.0 / 9,
                             2.0 / 9};  // the constant, then cuts 1.5 ... 4.5
  for (std::uint32_t cut = 0; cut < 5; ++cut) EXPECT_NEAR(example.edge(cut), expected[cut], 1e-12) << cut;
  EXPECT_EQ(hamming_criterion().best_cut({example.sums, 5, 3}).cut, 3u);
  const DoubleCut best = example.best();
  EXPECT_EQ(best.threshold, 3.5f);
  EXPECT_NEAR(best.edge, 5.0 / 9, 1e-12);
  const auto edges = class_edges({example.sums, 5, 3}, 3);
  EXPECT_LT(edges[0], 0);
  EXPECT_LT(edges[1], 0);
  EXPECT_GT(edges[2], 0);
}

TEST(HammingCriterion, WorkedExampleBalanced) {
  const WorkedExample example(InitialWeights::kBalanced);
  const double expected[] = {0, 1.0 / 3, 0.5, 2.0 / 3, 1.0 / 3};
  for (std::uint32_t cut = 0; cut < 5; ++cut) EXPECT_NEAR(example.edge(cut), expected[cut], 1e-12) << cut;
  EXPECT_EQ(example.best().threshold, 3.5f);
}

TEST(HammingCriterion, ConstantAndMissingColumnsHaveNoCut) {
  for (const float x : {3.f, kNan, kInf, -kInf}) {
    const Problem p{{x, x, x}, {0.5, -0.25, -0.25}, 1};
    EXPECT_EQ(p.best().threshold, -kInf) << x;
    EXPECT_EQ(p.best().cut, 0u) << x;
    EXPECT_EQ(p.best().edge, 0) << x;
  }
}

TEST(HammingCriterion, MissingGoesBelowTheSmallestValue) {
  const Problem p{{kNan, 2, 3}, {-0.5, 0.25, 0.25}, 1};
  EXPECT_EQ(p.best().threshold, 2);
  EXPECT_DOUBLE_EQ(p.best().edge, 1);
}

TEST(HammingCriterion, InfinitiesAreValuesLikeOthers) {
  const Problem low{{-kInf, 2}, {-0.5, 0.5}, 1};
  EXPECT_EQ(low.best().threshold, 2);
  const Problem high{{2, kInf}, {-0.5, 0.5}, 1};
  EXPECT_EQ(high.best().threshold, kInf);
  EXPECT_DOUBLE_EQ(high.best().edge, 1);
  // The smallest is below every cut, as what is missing is: phi(x) = +1 for x >= -infinity is the constant.
  const Problem both{{kNan, -kInf, 2}, {-0.5, 0.25, 0.25}, 1};
  EXPECT_EQ(both.best().threshold, 2);
  EXPECT_EQ(both.best().cut, 2u);
}

TEST(HammingCriterion, NeighbouringFloatsAreCutAtTheUpper) {
  const float next = std::nextafter(1.f, 2.f);
  const Problem p{{1, next}, {-0.5, 0.5}, 1};
  EXPECT_EQ(p.best().threshold, next);
  EXPECT_DOUBLE_EQ(p.best().edge, 1);
}

TEST(HammingCriterion, ZerosOfBothSignsAreEqual) {
  const Problem p{{-0.f, 0.f}, {-0.5, 0.5}, 1};
  EXPECT_EQ(p.best().threshold, -kInf);
}

TEST(HammingCriterion, TiesGoToTheConstantThenToTheLowestCut) {
  EXPECT_EQ((Problem{{1, 2}, {0, 0.5}, 1}.best().cut), 0u);
  // Edges at the constant and the two cuts: 1/4, 3/4, 3/4.
  EXPECT_EQ((Problem{{1, 2, 3}, {-0.25, 0, 0.5}, 1}.best().threshold), 1.5f);
}

TEST(HammingCriterion, OneExampleHasTheConstant) {
  const Problem p{{4}, {0.5, -0.5}, 2};
  EXPECT_EQ(p.best().cut, 0u);
  EXPECT_DOUBLE_EQ(p.best().edge, 1);
}

}  // namespace
}  // namespace mash
