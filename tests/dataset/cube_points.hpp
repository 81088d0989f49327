// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tests/dataset/data_files.hpp"

namespace mash::testing {

inline constexpr std::size_t kMany = 200'000;
inline constexpr double kError = 4 * 0.5 / 447;  // four standard errors of a share of kMany

inline double share_of_positives(const Split& side) {
  double count = 0;
  for (const std::uint16_t label : side.labels) count += label;
  return count / double(side.num_examples);
}

// The edge on uniform weights of the stump that says "+1" at or above the threshold.
inline double edge_of(const Split& side, std::size_t num_features, std::size_t feature, float threshold) {
  double sum = 0;
  for (std::size_t n = 0; n < side.num_examples; ++n)
    sum += (side.values[n * num_features + feature] >= threshold) == (side.labels[n] == 1) ? 1 : -1;
  return sum / double(side.num_examples);
}

// Promises of both generators of points in a cube.
inline void expect_seeded_and_counted(const char* name) {
  const auto first = load(name, {}, 1), same = load(name, {}, 1), other = load(name, {}, 2);
  const auto few = load(name, {{"train", "10"}, {"test", "5"}}, 1);
  ASSERT_LOADS(first);
  ASSERT_LOADS(few);
  EXPECT_EQ(first->train.num_examples, 1000u);
  EXPECT_EQ(first->test.num_examples, 1000u);
  EXPECT_EQ(first->column_names.size(), 10u);
  EXPECT_EQ(first->fingerprint, same->fingerprint);
  EXPECT_NE(first->fingerprint, other->fingerprint);
  EXPECT_NE(first->train.values, first->test.values);
  EXPECT_TRUE(std::equal(few->train.values.begin(), few->train.values.end(), first->train.values.begin()));
  EXPECT_FALSE(load(name, {{"relevant", "11"}}, 1).ok()) << "more than there are";
  EXPECT_FALSE(load(name, {{"train", "0.5"}}, 1).ok()) << "a part of what?";
  EXPECT_FALSE(load(name, {{"size", "28"}}, 1).ok());
}

}  // namespace mash::testing
