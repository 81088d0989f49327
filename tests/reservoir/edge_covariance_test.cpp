// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/edge_covariance.hpp"

#include <gmock/gmock.h>

#include <set>

#include "framework/base/instruction_set.hpp"
#include "tests/reservoir/plain_algebra.hpp"

namespace mash {
namespace {

using Codes = std::vector<std::uint8_t>;
using Signs = std::vector<std::int8_t>;

// (1 / number of stumps) * sum over stumps of (h y)(h y)'.
SymmetricMatrix mean_over_stumps(const Codes& codes, const Signs& signs) {
  const std::size_t num_examples = signs.size();
  SymmetricMatrix sums(num_examples);
  double num_stumps = 0;
  for (std::size_t begin = 0; begin < codes.size(); begin += num_examples) {
    const std::set<int> values(codes.begin() + std::ptrdiff_t(begin),
                               codes.begin() + std::ptrdiff_t(begin + num_examples));
    for (const int threshold : values) {
      if (threshold == *values.begin()) continue;
      for (const int polarity : {-1, 1}) {
        const auto edge = [&](std::size_t n) {
          return signs[n] * (codes[begin + n] >= threshold ? polarity : -polarity);
        };
        ++num_stumps;
        for (std::size_t i = 0; i < num_examples; ++i)
          for (std::size_t j = i; j < num_examples; ++j) sums.at(i, j) += edge(i) * edge(j);
      }
    }
  }
  for (double& sum : sums.values) sum /= num_stumps == 0 ? 1 : num_stumps;
  return sums;
}

void expect_near(const SymmetricMatrix& found, const SymmetricMatrix& expected, double tolerance) {
  ASSERT_EQ(found.size, expected.size);
  for (std::size_t i = 0; i < found.size; ++i)
    for (std::size_t j = i; j < found.size; ++j)
      ASSERT_NEAR(found.at(i, j), expected.at(i, j), tolerance) << i << ", " << j;
}

TEST(EdgeCovariance, OfThreeExamples) {
  const Codes codes{1, 2, 3, 2, 3, 1};
  expect_near(edge_covariance(codes, Signs{1, 1, -1}),
              testing::matrix_of({{1, 0, .5}, {0, 1, .5}, {.5, .5, 1}}), 0);
}

TEST(EdgeCovariance, OfOneFeatureIsSingular) {
  const SymmetricMatrix found = edge_covariance(Codes{1, 2, 3, 4}, Signs{1, 1, 1, 1});
  const double third = 1.0 / 3;
  expect_near(
      found,
      testing::matrix_of({{1, third, -third, -1}, {0, 1, third, -third}, {0, 0, 1, third}, {0, 0, 0, 1}}),
      1e-15);
  // The first and the last in the order are exact negatives.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(found.at(i, 0) + found.at(i, 3), 0) << i;
}

TEST(EdgeCovariance, IsTheMeanOverAllStumps) {
  RandomStream stream(1, "stumps");
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t num_examples = 1 + stream.below(12), num_features = stream.below(6);
    const Codes codes = testing::random_codes(num_features, num_examples, 1 + stream.below(20), stream);
    const Signs signs = testing::random_signs(num_examples, stream);
    expect_near(edge_covariance(codes, signs), mean_over_stumps(codes, signs), 1e-14);
  }
}

TEST(EdgeCovariance, HasUnitDiagonalAndNoNegativeEigenvalue) {
  RandomStream stream(1, "psd");
  for (const std::size_t num_examples : {2u, 7u, 33u, 130u})
    for (const std::size_t num_features : {1u, 3u, 200u}) {
      const Codes codes = testing::random_codes(num_features, num_examples, 100, stream);
      const SymmetricMatrix found = edge_covariance(codes, testing::random_signs(num_examples, stream));
      for (std::size_t i = 0; i < num_examples; ++i) EXPECT_EQ(found.at(i, i), 1);
      // Positive definite from just above 0 on, and so not below.
      SymmetricMatrix raised = testing::plus_lambda(found, 1e-10);
      EXPECT_TRUE(invert(raised)) << num_examples << " examples, " << num_features << " features";
    }
}

// 256 codes have 255 thresholds, which is all that a byte can count.
TEST(EdgeCovariance, TakesAllCodesThereAre) {
  Codes codes(256);
  std::iota(codes.begin(), codes.end(), std::uint8_t(0));
  const SymmetricMatrix found = edge_covariance(codes, Signs(256, 1));
  EXPECT_EQ(found.at(0, 255), -1);
  EXPECT_NEAR(found.at(0, 1), 1 - 2.0 / 255, 1e-15);
  EXPECT_NEAR(found.at(100, 200), 1 - 200.0 / 255, 1e-15);
}

TEST(EdgeCovariance, EqualValuesShareARank) {
  const Codes tied{0, 7, 7, 200}, dense{0, 1, 1, 2};
  const Signs signs{1, -1, 1, 1};
  EXPECT_EQ(edge_covariance(tied, signs).values, edge_covariance(dense, signs).values);
  EXPECT_EQ(edge_covariance(tied, signs).at(1, 2), -1);
}

TEST(EdgeCovariance, ConstantFeaturesCountForNothing) {
  const Signs signs{1, 1, -1};
  EXPECT_EQ(edge_covariance(Codes{9, 9, 9, 1, 2, 3, 0, 0, 0, 2, 3, 1}, signs).values,
            edge_covariance(Codes{1, 2, 3, 2, 3, 1}, signs).values);
  EXPECT_THAT(edge_covariance(Codes{9, 9, 9}, signs).values, ::testing::Each(0));
  EXPECT_THAT(edge_covariance({}, signs).values, ::testing::Each(0));
  EXPECT_EQ(edge_covariance({}, {}).size, 0u);
}

TEST(EdgeCovariance, WantsWholeRows) {
  EXPECT_THROW(edge_covariance(Codes{1, 2, 3, 4}, Signs{1, 1, 1}), std::logic_error);
}

std::vector<std::uint32_t> upper_triangle(void (*sums_of)(const ByteRows&, std::uint32_t*),
                                          const ByteRows& rows) {
  std::vector<std::uint32_t> sums(rows.num_rows * rows.num_rows);
  sums_of(rows, sums.data());
  for (std::size_t i = 0; i < rows.num_rows; ++i)
    for (std::size_t j = 0; j < i; ++j) sums[i * rows.num_rows + j] = 0;
  return sums;
}

TEST(SumsOfMinima, OnEachInstructionSetAreAsInPlainLoops) {
  RandomStream stream(1, "minima");
  for (const std::size_t num_rows : {4u, 8u, 28u, 32u, 36u, 64u, 76u})
    for (const std::size_t row_size : {64u, 128u, 192u, 832u}) {
      Codes bytes = testing::random_codes(row_size, num_rows, 255, stream);
      std::fill_n(bytes.begin(), row_size, std::uint8_t(255));  // the largest sums
      const ByteRows rows{bytes.data(), num_rows, row_size};
      const auto expected = upper_triangle(sums_of_minima_reference, rows);
      for (const char* target : instruction_sets()) {
        ASSERT_TRUE(choose_instruction_set(target));
        EXPECT_EQ(upper_triangle(sums_of_minima, rows), expected) << target;
      }
      choose_instruction_set("");
    }
}

TEST(SumsOfMinimaReference, WorkedExample) {
  Codes bytes(4 * 64);
  bytes[0] = 3, bytes[1] = 5;              // row 0
  bytes[64] = 4, bytes[65] = 1;            // row 1
  bytes[192 + 1] = 2, bytes[192 + 2] = 9;  // row 3
  EXPECT_EQ(upper_triangle(sums_of_minima_reference, {bytes.data(), 4, 64}),
            (std::vector<std::uint32_t>{8, 4, 0, 2, 0, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11}));
}

// All remainders of examples and of features.
TEST(EdgeCovariance, IsTheSameOnEachInstructionSet) {
  RandomStream stream(1, "tails");
  for (std::size_t size = 1; size <= 70; ++size) {
    const Codes codes = testing::random_codes(2 * size, size, 50, stream);
    const Signs signs = testing::random_signs(size, stream);
    const SymmetricMatrix expected = mean_over_stumps(codes, signs);
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      expect_near(edge_covariance(codes, signs), expected, 1e-13);
    }
  }
  choose_instruction_set("");
}

}  // namespace
}  // namespace mash
