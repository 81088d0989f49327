// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/symmetric_matrix.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "framework/base/instruction_set.hpp"
#include "tests/reservoir/plain_algebra.hpp"

namespace mash {
namespace {

using testing::matrix_of;

// A A' + I of a random A.
SymmetricMatrix random_positive(std::size_t size, RandomStream& stream) {
  std::vector<std::vector<double>> a(size, std::vector<double>(size));
  for (auto& row : a)
    for (double& element : row) element = stream.uniform(-1, 1);
  SymmetricMatrix matrix(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i; j < size; ++j)
      for (std::size_t k = 0; k < size; ++k) matrix.at(i, j) += a[i][k] * a[j][k];
  return testing::plus_lambda(matrix, 1);
}

// The largest element of |M P - I|.
double inversion_error(const SymmetricMatrix& matrix, const SymmetricMatrix& inverse) {
  double largest = 0;
  for (std::size_t i = 0; i < matrix.size; ++i)
    for (std::size_t j = 0; j < matrix.size; ++j) {
      double sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < matrix.size; ++k) sum += matrix.at(i, k) * inverse.at(k, j);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

TEST(SymmetricMatrix, IndicesMayBeTurned) {
  SymmetricMatrix matrix(3);
  matrix.at(2, 0) = 5;
  EXPECT_EQ(matrix.at(0, 2), 5);
  EXPECT_EQ(matrix.values[2], 5);
}

TEST(Invert, WorkedExample) {
  SymmetricMatrix matrix = matrix_of({{1, 0, .5}, {0, 1, .5}, {.5, .5, 1}});
  ASSERT_TRUE(invert(matrix));
  const SymmetricMatrix expected = matrix_of({{1.5, .5, -1}, {.5, 1.5, -1}, {-1, -1, 2}});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(matrix.at(i, j), expected.at(i, j), 1e-14);
}

// Plain loops, blocks of all remainders, and several levels of them.
TEST(Invert, IsTheInverseForAllSizes) {
  RandomStream stream(1, "invert");
  for (std::size_t size = 1; size <= 300; size += size < 70 ? 1 : 46) {
    const SymmetricMatrix matrix = random_positive(size, stream);
    SymmetricMatrix inverse = matrix;
    ASSERT_TRUE(invert(inverse)) << size;
    EXPECT_LT(inversion_error(matrix, inverse), 1e-11) << size;
  }
}

TEST(Invert, HasTheSameBitsOnEachInstructionSet) {
  RandomStream stream(1, "bits");
  for (const std::size_t size : {5u, 16u, 17u, 35u, 70u, 133u}) {
    const SymmetricMatrix matrix = random_positive(size, stream);
    SymmetricMatrix expected = matrix;
    ASSERT_TRUE(invert(expected));
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      SymmetricMatrix inverse = matrix;
      EXPECT_TRUE(invert(inverse));
      EXPECT_EQ(inverse.values, expected.values) << target;
    }
    choose_instruction_set("");
  }
}

TEST(Invert, NothingIsItsOwnInverse) {
  SymmetricMatrix matrix(0);
  EXPECT_TRUE(invert(matrix));
}

TEST(Invert, RefusesWhatIsNotPositiveDefinite) {
  SymmetricMatrix indefinite = matrix_of({{1, 2}, {2, 1}});
  EXPECT_FALSE(invert(indefinite));
  SymmetricMatrix zero(3);
  EXPECT_FALSE(invert(zero));
  SymmetricMatrix unknown = matrix_of({{1, std::numeric_limits<double>::quiet_NaN()}, {0, 1}});
  EXPECT_FALSE(invert(unknown));
}

// Rounding may leave a small positive pivot of a matrix that has none.
TEST(Invert, RefusesWhatRoundingAloneMakesPositive) {
  RandomStream stream(1, "singular");
  for (const std::size_t size : {2u, 5u, 17u, 40u, 150u}) {
    SymmetricMatrix matrix = random_positive(size, stream);
    const std::size_t last = size - 1;  // becomes the same as the first
    for (std::size_t k = 0; k < last; ++k) matrix.at(last, k) = matrix.at(0, k);
    matrix.at(last, last) = matrix.at(0, 0);
    EXPECT_FALSE(invert(matrix)) << size;
  }
}

}  // namespace
}  // namespace mash
