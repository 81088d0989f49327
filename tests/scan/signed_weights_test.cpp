// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/signed_weights.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "classifiers/scan/kernels/row_factors.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

const std::vector<std::uint16_t> kLabels{0, 0, 0, 1, 2};

SignedWeights initial(InitialWeights policy, const std::vector<std::uint16_t>& labels,
                      std::size_t num_classes) {
  SignedWeights weights(labels, num_classes);
  initialise(policy, Workers(1), weights);
  return weights;
}

TEST(SignedWeights, UniformGivesEveryPairTheSame) {
  const auto weights = initial(InitialWeights::kUniform, kLabels, 3);
  for (std::size_t n = 0; n < 5; ++n) {
    for (std::size_t l = 0; l < 3; ++l)
      EXPECT_DOUBLE_EQ(weights.row(n)[l], (l == kLabels[n] ? 1 : -1) / 15.0);
    EXPECT_DOUBLE_EQ(weights.example_weights()[n], 0.2);
  }
}

TEST(SignedWeights, BalancedGivesHalfOfEachExampleToItsClass) {
  const auto weights = initial(InitialWeights::kBalanced, kLabels, 3);
  for (std::size_t n = 0; n < 5; ++n)
    for (std::size_t l = 0; l < 3; ++l) EXPECT_DOUBLE_EQ(weights.row(n)[l], l == kLabels[n] ? 0.1 : -0.05);
}

TEST(SignedWeights, ClassBalancedGivesHalfOfEachClassToItsExamples) {
  const auto weights = initial(InitialWeights::kClassBalanced, kLabels, 3);
  EXPECT_DOUBLE_EQ(weights.row(0)[0], 1 / 18.0);   // 1/(2K) over three examples
  EXPECT_DOUBLE_EQ(weights.row(3)[0], -1 / 12.0);  // over two
  EXPECT_DOUBLE_EQ(weights.row(4)[2], 1 / 6.0);
  EXPECT_DOUBLE_EQ(weights.row(0)[2], -1 / 24.0);
}

TEST(SignedWeights, OneClassIsBinaryUnderEveryPolicy) {
  for (const auto policy :
       {InitialWeights::kUniform, InitialWeights::kBalanced, InitialWeights::kClassBalanced}) {
    const std::vector<std::uint16_t> labels(4, 0);
    const auto weights = initial(policy, labels, 1);
    for (const double g : weights.all()) EXPECT_DOUBLE_EQ(g, 0.25);
  }
}

TEST(SignedWeights, ClassWithoutExamplesIsAllNegativeAndFinite) {
  for (const auto policy :
       {InitialWeights::kUniform, InitialWeights::kBalanced, InitialWeights::kClassBalanced}) {
    const std::vector<std::uint16_t> labels{0, 2, 0};
    const auto weights = initial(policy, labels, 3);
    double sum = 0;
    for (const double g : weights.all()) sum += std::abs(g);
    EXPECT_NEAR(sum, 1, 1e-15);
    for (std::size_t n = 0; n < 3; ++n) EXPECT_LT(weights.row(n)[1], 0);
  }
}

TEST(SignedWeights, NormaliseGivesTheFormerSumAndTheRowSums) {
  auto weights = initial(InitialWeights::kUniform, kLabels, 3);
  for (double& g : weights.all()) g *= 7;
  EXPECT_NEAR(weights.normalise(Workers(2)), 7, 1e-14);
  for (const double w : weights.example_weights()) EXPECT_NEAR(w, 0.2, 1e-15);
}

TEST(SignedWeights, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const std::vector<std::uint16_t> labels(30000, 1);
  std::vector<double> values(60000);
  RandomStream stream(1, "test.weights");
  for (double& value : values) value = stream.uniform(-1, 1);
  std::vector<double> expected;
  for (const int num_threads : {1, 2, 3, 8}) {
    SignedWeights weights(labels, 2);
    std::copy(values.begin(), values.end(), weights.all().begin());
    weights.normalise(Workers(num_threads));
    if (expected.empty()) expected.assign(weights.all().begin(), weights.all().end());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), weights.all().begin())) << num_threads;
  }
}

// Sums that a checkpoint leaves to be added up again.
TEST(SignedWeights, RowSumsHaveTheBitsOfTheBoostersUpdate) {
  constexpr std::size_t kClasses = 10, kExamples = 1000;
  RandomStream stream(1, "test.weights");
  std::vector<std::uint16_t> labels(kExamples);
  std::vector<std::uint8_t> cells(kExamples);
  for (std::size_t n = 0; n < kExamples; ++n) {
    labels[n] = std::uint16_t(stream.below(kClasses));
    cells[n] = std::uint8_t(stream.below(2));
  }
  std::vector<double> table(2 * kClasses * kClasses);
  for (double& factor : table) factor = std::exp(3 * stream.normal());
  auto weights = initial(InitialWeights::kUniform, labels, kClasses);
  weights.update(Workers(1), [&](std::size_t, std::size_t, std::span<double> sums) {
    multiply_rows({table, cells, labels, kClasses}, weights.all().data(), sums.data());
  });
  const double total = weights.total();
  const std::vector<double> expected(weights.example_weights().begin(), weights.example_weights().end());
  weights.update_example_weights(Workers(2));
  EXPECT_THAT(weights.example_weights(), ::testing::ElementsAreArray(expected));
  EXPECT_EQ(weights.total(), total);
}

TEST(SignedWeights, ALabelBeyondTheClassesBreaksARequirement) {
  const std::vector<std::uint16_t> labels{0, 2};
  EXPECT_THROW(SignedWeights(labels, 2), std::logic_error);
}

TEST(SignedWeights, CountTheirChanges) {
  const std::vector<std::uint16_t> labels{0, 1};
  SignedWeights weights(labels, 2);
  EXPECT_EQ(weights.num_changes(), 0u);
  initialise(InitialWeights::kUniform, Workers(1), weights);
  const std::uint64_t before = weights.num_changes();
  EXPECT_GT(before, 0u);
  weights.update_example_weights(Workers(1));
  EXPECT_GT(weights.num_changes(), before);
}

}  // namespace
}  // namespace mash
