// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/sorted_columns.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/base/parallel.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr float kSortedNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kSortedInf = std::numeric_limits<float>::infinity();

// Values of any size, with equal, missing and extreme ones among them.
std::vector<float> random_values(std::uint64_t seed) {
  constexpr float kSpecial[] = {kSortedNan, -kSortedNan, kSortedInf, -kSortedInf, 0.f,
                                -0.f,       1e-40f,      -1e-40f,    3e38f,       -3e38f};
  RandomStream stream(seed, "test.columns");
  std::vector<float> values(stream.below(60));
  for (float& value : values) {
    const std::uint64_t kind = stream.below(20);
    value = kind < std::size(kSpecial) ? kSpecial[kind] : float(int(stream.below(9)) - 4) / 2;
  }
  return values;
}

RC_GTEST_PROP(SortedColumn, IsAStableSortWithMissingValuesFirst, (std::uint64_t seed)) {
  const std::vector<float> values = random_values(seed);
  std::vector<std::uint32_t> expected(values.size());
  std::iota(expected.begin(), expected.end(), 0u);
  std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (std::isnan(values[a]) || std::isnan(values[b])) return std::isnan(values[a]) > std::isnan(values[b]);
    return values[a] < values[b];
  });
  const SortedColumn sorted = sort_column(values);
  RC_ASSERT(sorted.rows == expected);
  RC_ASSERT(sorted.values.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = values[expected[i]];
    RC_ASSERT(sorted.values[i] == value || (std::isnan(sorted.values[i]) && std::isnan(value)));
  }
}

TEST(SortedColumns, ReadsAColumnOnceWhileThereIsRoom) {
  constexpr std::size_t kBytes = 4 * 8;  // of a column: 4 values with their rows
  SortedColumns columns(2 * kBytes + kBytes / 2);
  int num_read = 0;
  const auto read = [&] {
    ++num_read;
    return std::vector<float>{3, 1, 2, float(num_read)};
  };
  for (std::uint32_t feature = 0; feature < 3; ++feature) columns.column(feature, read);
  EXPECT_EQ(num_read, 3);
  EXPECT_EQ(columns.column(0, read)->values, (std::vector<float>{1, 1, 2, 3}));
  EXPECT_EQ(columns.column(1, read)->values, (std::vector<float>{1, 2, 2, 3}));
  EXPECT_EQ(num_read, 3);
  EXPECT_EQ(columns.column(2, read)->values, (std::vector<float>{1, 2, 3, 4}));  // had no room: read again
  EXPECT_EQ(num_read, 4);
}

TEST(SortedColumns, AnswersSeveralThreadsAlike) {
  SortedColumns columns(1 << 20);
  const Workers workers(4);
  std::vector<float> smallest(400);
  workers.for_ranges(smallest.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const float value = float(i % 20);
      const auto column = columns.column(std::uint32_t(i % 20), [&] {
        return std::vector<float>{99, value};
      });
      smallest[i] = column->values.front();
    }
  });
  for (std::size_t i = 0; i < smallest.size(); ++i) EXPECT_EQ(smallest[i], float(i % 20)) << i;
}

}  // namespace
}  // namespace mash
