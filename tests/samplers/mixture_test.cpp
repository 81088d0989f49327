// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/mixture.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

Mixture one_normal(double mean, double sd) { return {{{1, mean, sd * sd}}}; }

// The two families of the worked examples.
const Mixture kFirst{{{.7, .05, .02 * .02}, {.3, .15, .03 * .03}}};
const Mixture kSecond = one_normal(.08, .05);

double expected_of(std::vector<const Mixture*> families, const std::vector<double>& counts,
                   double num_examples) {
  ExpectedEdge expected(families, 1 / num_examples);
  for (std::size_t k = 0; k + 1 < counts.size(); ++k) expected.add(k, counts[k]);
  return expected.with(counts.size() - 1, counts.back());
}

TEST(NormalCdf, AgreesWithTheErrorFunction) {
  for (double x = -36; x < 36; x += 0.0371) {
    const double expected = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    EXPECT_NEAR(normal_cdf(x), expected, 1e-14) << x;
    // To five digits in the far tail too, where the expectation of many candidates lives.
    EXPECT_NEAR(normal_cdf(x) / expected, 1, 1e-5) << x;
  }
  EXPECT_EQ(normal_cdf(0), 0.5);
  EXPECT_EQ(normal_cdf(-40), 0);
}

TEST(ExpectedEdge, OfStandardNormalsIsTheExpectedMaximum) {
  const std::vector<std::pair<double, double>> known{{2, .564190},     {3, .846284},    {5, 1.162964},
                                                     {10, 1.538753},   {100, 2.507594}, {1000, 3.241436},
                                                     {10000, 3.851616}};
  for (const auto& [count, maximum] : known) {
    EXPECT_NEAR(expected_edge(one_normal(0, 1), count, 0), maximum, 1e-4 * maximum);
    EXPECT_NEAR(expected_edge(one_normal(0, 1), count, 1), maximum / std::numbers::sqrt2, 1e-4 * maximum);
  }
  EXPECT_NEAR(expected_edge(one_normal(0, 1), 10, 1), 1.088062, 1.1e-4);
  EXPECT_NEAR(expected_edge(one_normal(0, .1), 10, 1 / 100.), .108806, 1.1e-5);
}

TEST(ExpectedEdge, OfAMixture) {
  EXPECT_NEAR(expected_edge(kFirst, 20, 1 / 50.), .119028, 1.2e-5);
  EXPECT_NEAR(expected_edge(kFirst, 20, 1 / 200.), .149980, 1.5e-5);
  EXPECT_NEAR(expected_edge(kFirst, 20, 1 / 1000.), .174381, 1.8e-5);
  EXPECT_NEAR(expected_edge(kFirst, 1, 1 / 200.), .08, 1e-5) << "one candidate: the mean";
  EXPECT_DOUBLE_EQ(kFirst.mean(), .08);
}

TEST(ExpectedEdge, OfTwoFamilies) {
  EXPECT_NEAR(expected_of({&kFirst, &kSecond}, {12, 8}, 50), .115909, 1.2e-5);
  EXPECT_NEAR(expected_of({&kFirst, &kSecond}, {12, 8}, 200), .143993, 1.5e-5);
  EXPECT_NEAR(expected_of({&kFirst, &kSecond}, {12, 8}, 1000), .169634, 1.7e-5);
}

TEST(ExpectedEdge, SplittingOverIdenticalFamiliesChangesNothing) {
  for (const double first : {1, 7, 10, 19})
    EXPECT_NEAR(expected_of({&kFirst, &kFirst}, {first, 20 - first}, 200), .149980, 1.5e-5);
}

TEST(ExpectedEdge, AddingIsWhatWithForetells) {
  const Mixture* families[] = {&kFirst, &kSecond};
  ExpectedEdge expected(families, .01);
  expected.add(1, 3);
  const double foretold = expected.with(0, 5);
  expected.add(0, 5);
  expected.add(1, 2);
  EXPECT_NEAR(expected_of({&kFirst, &kSecond}, {5, 3}, 100), foretold, 1e-12);
  EXPECT_NEAR(expected.with(0, 0), expected_of({&kFirst, &kSecond}, {5, 5}, 100), 1e-12);
}

// A poor, noisy family among the candidates may win by luck and lower what is expected.
TEST(ExpectedEdge, APoorFamilyCanLowerIt) {
  const Mixture good = one_normal(.2, .001), poor = one_normal(0, .001);
  EXPECT_LT(expected_of({&good, &poor}, {5, 50}, 16), expected_edge(good, 5, 1 / 16.) - .02);
}

TEST(ExpectedEdge, AgreesWithSimulation) {
  const Mixture narrow{{{.5, .1, 1e-6}, {.5, .12, .0004}}};
  struct Case {
    const Mixture *first, *second;
    int num_first, num_second;
    double num_examples;
  };
  for (const Case& c : {Case{&kFirst, &kSecond, 12, 8, 200}, Case{&narrow, &kSecond, 3, 40, 64},
                        Case{&kFirst, &narrow, 1, 1, 16}, Case{&kSecond, &kSecond, 100, 1, 1000}}) {
    RandomStream stream(1, "test.simulation");
    const auto draw = [&](const Mixture& mixture) {
      double u = stream.uniform();
      std::size_t i = 0;
      while (i + 1 < mixture.components.size() && u >= mixture.components[i].weight)
        u -= mixture.components[i++].weight;
      return mixture.components[i].mean + std::sqrt(mixture.components[i].variance) * stream.normal();
    };
    constexpr int kTrials = 20000;
    double sum = 0, squares = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      double best_measured = -1e9, best = 0;
      for (int q = 0; q < c.num_first + c.num_second; ++q) {
        const double edge = draw(q < c.num_first ? *c.first : *c.second);
        const double measured = edge + stream.normal() / std::sqrt(c.num_examples);
        if (measured > best_measured) {
          best_measured = measured;
          best = edge;
        }
      }
      sum += best;
      squares += best * best;
    }
    const double mean = sum / kTrials;
    const double error = std::sqrt((squares / kTrials - mean * mean) / kTrials);
    EXPECT_NEAR(expected_of({c.first, c.second}, {double(c.num_first), double(c.num_second)}, c.num_examples),
                mean, 3 * error);
  }
}

RC_GTEST_PROP(ExpectedEdge, OfOneFamilyGrowsWithTheCandidates, ()) {
  const Mixture mixture{{{.5, *rc::gen::inRange(0, 100) / 1000., *rc::gen::inRange(1, 50) / 1e4},
                         {.5, *rc::gen::inRange(0, 300) / 1000., *rc::gen::inRange(1, 50) / 1e4}}};
  const double noise = 1. / *rc::gen::inRange(16, 5000);
  double before = mixture.mean();
  for (const double count : {1, 2, 3, 5, 10, 100, 1000}) {
    const double expected = expected_edge(mixture, count, noise);
    RC_ASSERT(expected >= before - 1e-6);
    before = expected;
  }
}

std::vector<double> noisy_edges(const Mixture& mixture, std::size_t count, double num_examples) {
  RandomStream stream(3, "test.edges");
  std::vector<double> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& component = mixture.components[stream.uniform() < mixture.components[0].weight ? 0 : 1];
    edges.push_back(component.mean + std::sqrt(component.variance + 1 / num_examples) * stream.normal());
  }
  return edges;
}

TEST(FitMixture, RecoversWhatTheEdgesWereDrawnFrom) {
  const Mixture truth{{{.7, .05, .02 * .02}, {.3, .25, .03 * .03}}};
  const auto edges = noisy_edges(truth, 20000, 200);
  const Mixture fitted = fit_mixture(edges, nullptr, 1 / 200.);
  // Three components share the two of the truth; on each side their weight and mean are the truth's.
  double weight_low = 0, mean_low = 0, weight_high = 0, mean_high = 0;
  for (const auto& component : fitted.components) {
    const bool low = component.mean < .15;
    (low ? weight_low : weight_high) += component.weight;
    (low ? mean_low : mean_high) += component.weight * component.mean;
    EXPECT_LT(component.variance, .06 * .06) << "the noise, of sd .07, is taken off";
  }
  EXPECT_NEAR(weight_low, .7, .06);
  EXPECT_NEAR(mean_low / weight_low, .05, .015);
  EXPECT_NEAR(mean_high / weight_high, .25, .015);
}

TEST(FitMixture, MoreStepsNeverLowerThePenalisedLikelihood) {
  const auto edges = noisy_edges(kFirst, 200, 300);
  const Mixture fitted = fit_mixture(edges, nullptr);
  const double mean = std::accumulate(edges.begin(), edges.end(), 0.0) / double(edges.size());
  double variance = 0;
  for (const double x : edges) variance += (x - mean) * (x - mean) / double(edges.size());
  EXPECT_GT(log_likelihood(fitted, edges), log_likelihood({{{1, mean, variance}}}, edges));
}

TEST(FitMixture, FewOrEqualEdgesKeepTheModelBefore) {
  const Mixture before = one_normal(.3, .1);
  for (const std::vector<double>& edges : {std::vector<double>{}, {.2}, {.2, .2, .2}}) {
    const Mixture kept = fit_mixture(edges, &before);
    ASSERT_EQ(kept.components.size(), 1u);
    EXPECT_EQ(kept.components[0].mean, .3);
    EXPECT_EQ(fit_mixture(edges, nullptr).components[0].mean, edges.empty() ? 0 : .2);
  }
  EXPECT_DOUBLE_EQ(fit_mixture(std::vector<double>{.2}, nullptr).components[0].variance, .0025);
}

TEST(FitMixture, ComponentsGrowWithTheEdgesAndStayWide) {
  const auto edges = noisy_edges(kFirst, 40, 200);
  EXPECT_EQ(fit_mixture(std::span(edges).first(9), nullptr).components.size(), 1u);
  EXPECT_LE(fit_mixture(std::span(edges).first(10), nullptr).components.size(), 2u);
  const std::vector<double> two_points{.1, .1, .1, .1, .1, .4, .4, .4, .4, .4};
  double weight = 0;
  for (const auto& component : fit_mixture(two_points, nullptr).components) {
    EXPECT_GE(component.variance, 1e-6);
    weight += component.weight;
  }
  EXPECT_NEAR(weight, 1, 1e-12);
}

}  // namespace
}  // namespace mash
