// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/confusion.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace mash {
namespace {

TEST(Confusion, CountsByTrueAndPredictedClass) {
  // The classes that are predicted: 0, 2, 2, 1, 0 (of equal scores the lowest).
  const std::vector<double> scores{3, 1, 0, 0, 1, 2, -3, -2, -1, 0, 5, 0, 1, 1, 1};
  const std::vector<std::uint16_t> labels{0, 1, 1, 1, 2};
  const Confusion confusion = confusion_of(scores, labels, 3);
  EXPECT_EQ(confusion.num_examples(), 5u);
  EXPECT_EQ(confusion.num_wrong(), 3u);
  EXPECT_EQ(confusion.count(0, 0), 1u);
  EXPECT_EQ(confusion.count(1, 2), 2u);
  EXPECT_EQ(confusion.count(2, 0), 1u);
  EXPECT_EQ(confusion.count(2, 2), 0u);
}

TEST(Confusion, PairsAreTheMostFrequentFirst) {
  Confusion confusion(3);
  for (const auto& [label, predicted, count] : {std::tuple(0u, 1u, 2), {1u, 0u, 5}, {2u, 1u, 2}, {2u, 2u, 9}})
    for (int i = 0; i < count; ++i) confusion.add(label, predicted);
  const auto pairs = confusion.pairs(2);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].label, 1u);
  EXPECT_EQ(pairs[0].count, 5u);
  EXPECT_EQ(pairs[1].label, 0u) << "among equals in order of the classes";
  EXPECT_EQ(confusion.pairs(10).size(), 3u) << "what is right is no pair";
}

TEST(Confusion, OfNothingIsEmpty) {
  EXPECT_EQ(Confusion().num_examples(), 0u);
  EXPECT_EQ(Confusion().num_wrong(), 0u);
}

}  // namespace
}  // namespace mash
