// SPDX-License-Identifier: Apache-2.0
#include "framework/base/random.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <vector>

#include "framework/base/elementary.hpp"

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

TEST(RandomStream, BelowNothingBreaksARequirement) {
  EXPECT_THROW(RandomStream(1, "test", 0).below(0), std::logic_error);
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

// With each instruction set that this machine has.
template <class Test>
void on_every_target(const Test& test) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    test(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(RandomStream, ManyAtOnceAreThoseOneAfterAnother) {
  on_every_target([](const char* target) {
    for (const int num_before : {0, 1, 2, 3, 4})  // 32-bit numbers that are gone, of blocks of four
      for (const std::size_t size : {0, 1, 2, 3, 4, 15, 16, 17, 33, 100}) {
        RandomStream one_by_one(3, "fill", 0x123456789abc), at_once(3, "fill", 0x123456789abc);
        for (int i = 0; i < num_before; ++i)
          for (RandomStream* stream : {&one_by_one, &at_once}) stream->next_u32();
        std::vector<double> uniform(size);
        at_once.uniform(uniform);
        for (std::size_t i = 0; i < size; ++i)
          ASSERT_EQ(uniform[i], one_by_one.uniform()) << target << ", " << i << " of " << size;
        ASSERT_EQ(at_once.next_u64(), one_by_one.next_u64()) << target << ", after " << size;
      }
  });
}

TEST(RandomStream, ExponentialsAreLogarithmsOfItsNumbers) {
  on_every_target([](const char* target) {
    for (const int num_before : {0, 1, 2, 3, 4})
      for (const std::size_t size : {0, 1, 3, 4, 5, 63, 64, 65, 256, 257, 700}) {
        RandomStream one_by_one(5, "fill"), at_once(5, "fill");
        for (int i = 0; i < num_before; ++i)
          for (RandomStream* stream : {&one_by_one, &at_once}) stream->next_u32();
        std::vector<float> exponential(size);
        at_once.exponential(exponential);
        for (std::size_t i = 0; i < size; ++i) {
          const float x = float(one_by_one.next_u32() >> 1 | 1) * 0x1p-31f;
          ASSERT_EQ(exponential[i], -stable_logf(x)) << target << ", " << i << " of " << size;
        }
        ASSERT_EQ(at_once.next_u32(), one_by_one.next_u32()) << target << ", after " << size;
      }
  });
}

TEST(RandomStream, ExponentialHasItsQuantiles) {
  RandomStream stream(4, "exponential");
  std::vector<float> values(100000);
  stream.exponential(values);
  int below_half = 0, above_three = 0;
  for (const float x : values) {
    ASSERT_GE(x, 0);
    below_half += x < 0.5;
    above_three += x > 3;
  }
  EXPECT_NEAR(below_half / 1e5, 0.393469, 5 * 0.00155);
  EXPECT_NEAR(above_three / 1e5, 0.049787, 5 * 0.00069);
}

}  // namespace
}  // namespace mash
