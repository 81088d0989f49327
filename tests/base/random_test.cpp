// SPDX-License-Identifier: Apache-2.0
#include "framework/base/random.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mash {
namespace {

TEST(RandomStream, DependsOnSeedPurposeAndIndexOnly) {
  RandomStream a(7, "test", 3), b(7, "test", 3), seed(8, "test", 3), purpose(7, "tesu", 3),
      index(7, "test", 4);
  const std::uint64_t first = a.next_u64();
  EXPECT_EQ(first, b.next_u64());
  EXPECT_NE(first, seed.next_u64());
  EXPECT_NE(first, purpose.next_u64());
  EXPECT_NE(first, index.next_u64());
}

// A golden: models trained today must come out the same from a build of tomorrow.
TEST(RandomStream, GivesTheSameNumbersForEver) {
  RandomStream stream(1, "golden");
  EXPECT_EQ(stream.next_u32(), 136976124u);
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(1, "below");
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[stream.below(7)];
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_squared, 22.46);  // 6 degrees of freedom, p = 0.001
}

TEST(RandomStream, UniformStaysInItsInterval) {
  RandomStream stream(2, "uniform");
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 5 * 0.2887 / 316.2);
}

}  // namespace
}  // namespace mash
