// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/round_filter.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

namespace mash {
namespace {

// An oracle whose examples all have this margin.
Oracle oracle_of(double margin) {
  return [margin, next = std::uint32_t(0)]() mutable { return OracleDraw{next++, 1, margin}; };
}

TEST(FilterBoost, DeltaIsSharedOutAmongRounds) {
  EXPECT_NEAR(round_delta(0.06, 1), 0.01, 1e-15);
  EXPECT_NEAR(round_delta(0.06, 4), 0.001, 1e-15);
  double sum = 0;
  for (std::uint32_t t = 1; t < 100'000; ++t) sum += round_delta(0.05, t);
  EXPECT_LT(sum, 0.05 / 3);
}

TEST(FilterBoost, CapWorkedNumbers) {
  EXPECT_NEAR(filter_cap(0.05, 0.05, 1), 147.6, 0.05);
  EXPECT_NEAR(filter_cap(0.05, 0.05, 10), 307.8, 0.05);
}

TEST(FilterBoost, SampleSizesAreThoseOfMultiBoost) {
  EXPECT_EQ(filterboost_sample_size(300, 1), 330u);     // 300 ln 3 = 329.58
  EXPECT_EQ(filterboost_sample_size(300, 250), 1659u);  // 300 ln 252 = 1658.83
  EXPECT_EQ(filterboost_sample_size(1, 1), 2u);
}

TEST(FilterBoost, AlphaWorkedNumbers) {
  EXPECT_NEAR(filterboost_alpha(0.25), 0.549306, 1e-6);
  EXPECT_EQ(filterboost_alpha(0), 0);
  EXPECT_NEAR(filterboost_alpha(-0.25), -0.549306, 1e-6);
  EXPECT_NEAR(filterboost_alpha(0.5), 0.5 * std::log((1 - 1e-6) / 1e-6), 1e-9);
  EXPECT_NEAR(filterboost_alpha(-0.5), -filterboost_alpha(0.5), 1e-9);
}

TEST(RoundFilter, AcceptsByTheLogisticWeight) {
  for (const double margin : {-2.0, 0.0, 2.0}) {
    const Oracle oracle = oracle_of(margin);
    RoundFilter filter({}, 1, 1, oracle);
    const double num_accepted = 4000;
    for (int i = 0; i < int(num_accepted); ++i) ASSERT_TRUE(filter.next());
    const double rate = num_accepted / double(filter.num_draws()), expected = 1 / (1 + std::exp(margin));
    EXPECT_NEAR(rate, expected, 5 * std::sqrt(expected / num_accepted)) << margin;
  }
}

TEST(RoundFilter, EndsWhereNothingIsAccepted) {
  const Oracle oracle = oracle_of(1000);
  RoundFilter filter({}, 1, 1, oracle);
  EXPECT_FALSE(filter.next());
  const auto first = std::uint64_t(filter_cap(0.05, round_delta(0.05, 1), 1)),
             second = std::uint64_t(filter_cap(0.05, round_delta(0.05, 1), 2));
  EXPECT_EQ(filter.num_draws(), first);
  EXPECT_EQ(first, 219u);  // 40 ln 240
  EXPECT_FALSE(filter.next());
  EXPECT_EQ(filter.num_draws(), first + second);
}

TEST(RoundFilter, IsThatOfItsSeedAndRound) {
  const auto accepted = [](std::uint64_t seed, std::uint32_t round) {
    const Oracle oracle = oracle_of(0);
    RoundFilter filter({}, seed, round, oracle);
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < 50; ++i) numbers.push_back(filter.next()->example_idx);
    return numbers;
  };
  EXPECT_EQ(accepted(1, 2), accepted(1, 2));
  EXPECT_NE(accepted(1, 2), accepted(1, 3));
  EXPECT_NE(accepted(1, 2), accepted(2, 2));
}

TEST(RoundFilter, WantsProbabilitiesAndARound) {
  const Oracle oracle = oracle_of(0);
  FilterSettings settings;
  settings.epsilon = 0;
  EXPECT_THROW(RoundFilter(settings, 1, 1, oracle), std::logic_error);
  settings.epsilon = 0.05;
  settings.delta = 1;
  EXPECT_THROW(RoundFilter(settings, 1, 1, oracle), std::logic_error);
  EXPECT_THROW(RoundFilter({}, 1, 0, oracle), std::logic_error);
}

// If the running mean sat at its true value.
TEST(EdgeRule, WorkedNumbers) {
  for (const auto& [edge, expected] : {std::pair{0.05, 43873u}, {0.1, 9601u}, {0.2, 2054u}})
    for (const double side : {-edge, edge}) {
      std::uint64_t m = 1;
      while (!is_edge_known(side, m, {})) ++m;
      EXPECT_EQ(m, expected) << side;
    }
}

TEST(EstimateEdge, HasTheRelativeErrorAskedFor) {
  for (const double edge : {-0.3, 0.2}) {
    RandomStream stream(1, "test.edge");
    const auto estimate = estimate_edge({}, [&] { return stream.uniform() < 0.5 + edge; });
    ASSERT_TRUE(estimate);
    EXPECT_LE(std::abs(estimate->edge), std::abs(edge));
    EXPECT_GE(std::abs(estimate->edge), std::abs(edge) * (1 - 0.5) / (1 + 0.5));
    EXPECT_GT(estimate->edge * edge, 0);
  }
}

TEST(EstimateEdge, ShrinksTheMeanAtWhichItStops) {
  const auto estimate = estimate_edge({}, [] { return true; });
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->edge, 0.5 / 1.5, 1e-15);
  EXPECT_TRUE(is_edge_known(0.5, estimate->num_samples, {}));
  EXPECT_FALSE(is_edge_known(0.5, estimate->num_samples - 1, {}));
}

TEST(EstimateEdge, StopsAtTheLimitWhereThereIsNoEdge) {
  EdgeRule rule;
  rule.max_samples = 1000;
  bool is_right = false;
  const auto estimate = estimate_edge(rule, [&] { return is_right = !is_right; });
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->edge, 0);
  EXPECT_EQ(estimate->num_samples, 1000u);
}

TEST(EstimateEdge, TakesAsManyAsIsFixed) {
  EdgeRule rule;
  rule.max_samples = 8000;
  rule.is_fixed = true;
  int num_asked = 0;
  const auto estimate = estimate_edge(rule, [&] { return num_asked++ % 4 != 0; });
  ASSERT_TRUE(estimate);
  EXPECT_EQ(num_asked, 8000);
  EXPECT_EQ(estimate->edge, 0.25) << "not shrunk";
}

TEST(EstimateEdge, IsNoneWhereTheFilterEnds) {
  int left = 10;
  EXPECT_FALSE(estimate_edge({}, [&] { return left-- > 0 ? std::optional(true) : std::nullopt; }));
}

TEST(EstimateEdge, WantsATauAndExamples) {
  EdgeRule rule;
  rule.tau = 1;
  EXPECT_THROW(estimate_edge(rule, [] { return true; }), std::logic_error);
  rule.tau = 0.5;
  rule.max_samples = 0;
  EXPECT_THROW(estimate_edge(rule, [] { return true; }), std::logic_error);
}

}  // namespace
}  // namespace mash
