// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/greedy_removal.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "classifiers/reservoir/edge_covariance.hpp"
#include "tests/reservoir/plain_algebra.hpp"

namespace mash {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using testing::matrix_of;
using ::testing::Pointwise;
using Ties = std::vector<std::uint64_t>;

// Some examples whose edges have the covariance of random codes.
struct RandomExamples {
  RandomExamples(std::size_t size, std::size_t num_features, double lambda, std::uint64_t seed)
      : stream(seed, "removal"),
        covariance(edge_covariance(testing::random_codes(num_features, size, 200, stream),
                                   testing::random_signs(size, stream))),
        regularised(testing::plus_lambda(covariance, lambda)),
        inverse(*regularised_inverse(covariance, lambda)),
        weights(testing::random_weights(size, stream)),
        ties(testing::tie_numbers(size, stream)) {}

  RemovalInput input() const { return {weights, ties}; }

  RandomStream stream;
  SymmetricMatrix covariance, regularised, inverse;
  std::vector<double> weights;
  Ties ties;
};

void expect_same(const Kept& found, const Kept& expected, double tolerance) {
  ASSERT_EQ(found.places, expected.places);
  for (std::size_t i = 0; i < found.places.size(); ++i)
    ASSERT_NEAR(found.weights[i], expected.weights[i], tolerance * (1 + std::abs(expected.weights[i])));
}

TEST(RemoveGreedily, WorkedExample) {
  const SymmetricMatrix covariance = matrix_of({{1, 0, .5}, {0, 1, .5}, {.5, .5, 1}});
  const auto inverse = regularised_inverse(covariance, 0);
  ASSERT_TRUE(inverse);
  const std::vector<double> weights{.6, .3, .5};
  const Ties ties{0, 1, 2};
  const Kept kept = remove_greedily(*inverse, {weights, ties}, 1);
  EXPECT_THAT(kept.places, ElementsAre(0, 1));
  EXPECT_THAT(kept.weights, ElementsAre(DoubleNear(.85, 1e-14), DoubleNear(.55, 1e-14)));
  EXPECT_NEAR(testing::expected_edge(covariance, {weights, ties}, kept.places), 1.4, 1e-14);
  // The lighter of the two that remain, independent of each other, goes, and the other gets nothing.
  const Kept one = remove_greedily(*inverse, {weights, ties}, 2);
  EXPECT_THAT(one.places, ElementsAre(0));
  EXPECT_THAT(one.weights, ElementsAre(DoubleNear(.85, 1e-14)));
}

TEST(RemoveGreedily, EachStepIsTheBestOfAll) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t size = 2 + seed % 7;
    const RandomExamples examples(size, 2 * size, 1e-3, seed);
    for (std::size_t num_removed = 0; num_removed < size; ++num_removed)
      expect_same(remove_greedily(examples.inverse, examples.input(), num_removed),
                  testing::remove_by_trying(examples.regularised, examples.input(), num_removed), 1e-9);
  }
}

TEST(RemoveGreedily, HopesForAnyHypothesis) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t size = 2 + seed % 7;
    RandomExamples examples(size, 2 * size, 1e-3, seed);
    std::vector<double> responses(size);
    for (double& response : responses) response = examples.stream.normal();
    const RemovalInput input{examples.weights, examples.ties, responses};
    for (std::size_t num_removed = 0; num_removed < size; ++num_removed)
      expect_same(remove_greedily(examples.inverse, input, num_removed),
                  testing::remove_by_trying(examples.regularised, input, num_removed), 1e-9);
  }
}

TEST(RemoveGreedily, ResponsesOfOneAreTheDefault) {
  const RandomExamples examples(20, 40, 1e-3, 1);
  const std::vector<double> ones(20, 1);
  expect_same(remove_greedily(examples.inverse, {examples.weights, examples.ties, ones}, 9),
              remove_greedily(examples.inverse, examples.input(), 9), 0);
}

RC_GTEST_PROP(RemoveGreedily, WeightsAreThoseOfExplicitInverses, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(2, 61);
  const auto num_removed = *rc::gen::inRange<std::size_t>(0, size);
  const auto num_features = *rc::gen::inRange<std::size_t>(1, 3 * size);
  const RandomExamples examples(size, num_features, 1e-3, *rc::gen::arbitrary<std::uint64_t>());
  const Kept kept = remove_greedily(examples.inverse, examples.input(), num_removed);
  RC_ASSERT(kept.places.size() == size - num_removed);
  expect_same(kept,
              {kept.places, testing::corrected_weights(examples.regularised, examples.weights, kept.places)},
              1e-9);
}

// The drift by rounding of 250 removals of 500: printed, and far below what any weak learner notices.
TEST(RemoveGreedily, HardlyDriftsOverManyRemovals) {
  const RandomExamples examples(500, 784, 1e-3, 1);
  const Kept kept = remove_greedily(examples.inverse, examples.input(), 250);
  const auto expected = testing::corrected_weights(examples.regularised, examples.weights, kept.places);
  double drift = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    drift = std::max(drift, std::abs(kept.weights[i] - expected[i]) / (1 + std::abs(expected[i])));
  RecordProperty("drift", std::to_string(drift * 1e15) + "e-15");
  EXPECT_LT(drift, 1e-11);
}

// The standard singular case: its copy stands for what goes.
TEST(RemoveGreedily, CopyGetsTheWeightOfWhatGoes) {
  const std::vector<std::uint8_t> codes{1, 1, 2, 3, 5, 5, 9, 1, 4, 4, 2, 8};
  const std::vector<std::int8_t> signs{1, 1, -1, 1};
  const SymmetricMatrix covariance = edge_covariance(codes, signs);
  SymmetricMatrix singular = covariance;
  EXPECT_FALSE(invert(singular));
  const auto inverse = regularised_inverse(covariance, 1e-9);
  ASSERT_TRUE(inverse);
  const std::vector<double> weights{.2, .1, 5, 5};
  const Kept kept = remove_greedily(*inverse, {weights, Ties{0, 1, 2, 3}}, 1);
  EXPECT_THAT(kept.places, ElementsAre(::testing::AnyOf(0u, 1u), 2, 3));
  EXPECT_NEAR(kept.weights[0], .3, 1e-6);
  EXPECT_NEAR(kept.weights[1], 5, 1e-6);
  EXPECT_NEAR(kept.weights[2], 5, 1e-6);
}

TEST(RemoveGreedily, OfTwo) {
  // Covariance 0.2: without either, the other gets a fifth of its weight, so the heavier one stays.
  const auto inverse = regularised_inverse(matrix_of({{1, .2}, {.2, 1}}), 0);
  ASSERT_TRUE(inverse);
  const std::vector<double> weights{1, 2};
  const Kept kept = remove_greedily(*inverse, {weights, Ties{0, 1}}, 1);
  EXPECT_THAT(kept.places, ElementsAre(1));
  EXPECT_THAT(kept.weights, ElementsAre(DoubleNear(2.2, 1e-14)));
}

TEST(RemoveGreedily, TiesAreDecidedByTheirNumbers) {
  const auto inverse = regularised_inverse(testing::plus_lambda(SymmetricMatrix(4), 1), 0);
  ASSERT_TRUE(inverse);
  const std::vector<double> weights{.5, .5 * (1 + 1e-14), .5, .6};
  EXPECT_THAT(remove_greedily(*inverse, {weights, Ties{7, 3, 5, 0}}, 1).places, ElementsAre(0, 2, 3));
  EXPECT_THAT(remove_greedily(*inverse, {weights, Ties{7, 8, 5, 0}}, 1).places, ElementsAre(0, 1, 3));
  EXPECT_THAT(remove_greedily(*inverse, {weights, Ties{9, 8, 9, 0}}, 2).places, ElementsAre(2, 3));
}

TEST(RemoveGreedily, WithoutWeightsAnyGoes) {
  RandomExamples examples(30, 60, 1e-3, 1);
  const std::vector<double> zeros(30);
  std::set<std::vector<std::uint32_t>> chosen;
  for (int trial = 0; trial < 10; ++trial) {
    const Ties ties = testing::tie_numbers(30, examples.stream);
    const Kept kept = remove_greedily(examples.inverse, {zeros, ties}, 15);
    chosen.insert(kept.places);
    EXPECT_THAT(kept.weights, ::testing::Each(0));
  }
  EXPECT_EQ(chosen.size(), 10u);
}

TEST(RemoveGreedily, NoneOrAll) {
  const RandomExamples examples(5, 10, 1e-3, 1);
  const Kept all = remove_greedily(examples.inverse, examples.input(), 0);
  EXPECT_THAT(all.places, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(all.weights, examples.weights);
  EXPECT_TRUE(remove_greedily(examples.inverse, examples.input(), 5).places.empty());
  EXPECT_TRUE(remove_greedily(SymmetricMatrix(0), {}, 0).places.empty());
}

TEST(RemoveGreedily, WantsNOfEach) {
  const RandomExamples examples(5, 10, 1e-3, 1);
  const std::vector<double> four(4, 1);
  const Ties few(4);
  EXPECT_THROW(remove_greedily(examples.inverse, {four, examples.ties}, 1), std::logic_error);
  EXPECT_THROW(remove_greedily(examples.inverse, {examples.weights, few}, 1), std::logic_error);
  EXPECT_THROW(remove_greedily(examples.inverse, {examples.weights, examples.ties, four}, 1),
               std::logic_error);
  EXPECT_THROW(remove_greedily(examples.inverse, examples.input(), 6), std::logic_error);
  const std::vector<double> unknown(5, std::nan(""));
  EXPECT_THROW(remove_greedily(examples.inverse, {unknown, examples.ties}, 1), std::logic_error);
  const SymmetricMatrix negative = testing::plus_lambda(SymmetricMatrix(5), -1);
  EXPECT_THROW(remove_greedily(negative, examples.input(), 1), std::logic_error);
}

TEST(RegularisedInverse, RaisesLambdaUntilThereIsOne) {
  // Eigenvalues 1 + c and 1 - c.
  const auto with = [](double c) { return matrix_of({{1, c}, {0, 1}}); };
  const auto expect_lambda = [&](double c, double given, double used) {
    const auto found = regularised_inverse(with(c), given);
    ASSERT_TRUE(found);
    SymmetricMatrix expected = testing::plus_lambda(with(c), used);
    ASSERT_TRUE(invert(expected));
    EXPECT_EQ(found->values[0], expected.values[0]);
    EXPECT_EQ(found->values[1], expected.values[1]);
  };
  expect_lambda(.5, 0, 0);
  expect_lambda(.5, .3, .3);
  expect_lambda(1, 0, 1e-3);
  expect_lambda(1.005, 0, 1e-2);
  expect_lambda(1.005, 1e-3, 1e-2);
  expect_lambda(1.005, 5e-3, 1e-2);
  expect_lambda(1.05, 1e-6, .1);
  expect_lambda(1.5, 1e-3, 1);
  EXPECT_FALSE(regularised_inverse(with(2.5), 1e-3));
  EXPECT_FALSE(regularised_inverse(with(2.5), 1));
  EXPECT_FALSE(regularised_inverse(with(std::nan("")), 1e-3));
}

TEST(RegularisedInverse, OfCopiesNeedsNoLambdaOfTheCaller) {
  const SymmetricMatrix singular =
      edge_covariance(std::vector<std::uint8_t>{1, 1, 2, 3, 3, 1}, std::vector<std::int8_t>{1, 1, 1});
  const auto inverse = regularised_inverse(singular, 0);
  ASSERT_TRUE(inverse);
  SymmetricMatrix expected = testing::plus_lambda(singular, 1e-3);
  ASSERT_TRUE(invert(expected));
  EXPECT_EQ(inverse->at(0, 1), expected.at(0, 1));
}

}  // namespace
}  // namespace mash
