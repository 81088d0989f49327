// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/held_out.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(HeldOut, IsATenthOfEachClassThatTrainsNothing) {
  std::vector<std::uint16_t> labels;
  std::vector<double> weights;
  for (std::size_t n = 0; n < 139; ++n) {
    labels.push_back(n < 100 ? 0 : n < 137 ? 1 : n == 137 ? 2 : 3);
    weights.push_back(n == 138 ? 0 : 1 + double(n));
  }
  const HeldOut held = hold_out_tenth(labels, weights, 4, 1);
  std::vector<int> counts(4);
  for (const std::uint32_t judge : held.judges) ++counts[labels[judge]];
  EXPECT_EQ(counts, (std::vector<int>{10, 3, 0, 0})) << "one example alone trains";
  for (std::uint32_t n = 0; n < labels.size(); ++n) {
    const bool judges = std::find(held.judges.begin(), held.judges.end(), n) != held.judges.end();
    EXPECT_EQ(held.weights[n], judges ? 0 : weights[n]);
  }
  EXPECT_NE(held.judges, hold_out_tenth(labels, weights, 4, 2).judges);
}

TEST(HeldOut, ErrorIsAShareOfWeight) {
  const HeldOut held{{1, 3}, {}};
  const std::vector<std::uint16_t> labels{0, 1, 0, 1};
  const std::vector<double> weights{9, 1, 9, 3};
  EXPECT_EQ(held.error(std::vector<std::uint16_t>{0, 1}, labels, weights), 0.25);
  EXPECT_EQ((HeldOut{}.error({}, labels, weights)), 0);
}

}  // namespace
}  // namespace mash
