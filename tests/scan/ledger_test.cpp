// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/ledger.hpp"

#include <gtest/gtest.h>

#include "tests/support/world.hpp"

namespace mash {
namespace {

float zero(std::uint32_t, std::uint32_t) { return 0; }

// Families a of the features 0 ... 2 and b of 3 and 4; ten examples of four classes.
class LedgerOfTwoFamilies : public ::testing::Test {
 protected:
  using Numbers = std::vector<std::uint32_t>;

  testing::World world{testing::numbered_images(std::vector<std::uint16_t>(10), {}, 4),
                       {{"a", 3, zero}, {"b", 2, zero}}};
  Ledger ledger{world.features(), 4};
  const Numbers all_features{0, 1, 2, 3, 4};
};

TEST_F(LedgerOfTwoFamilies, CountsFeaturesTimesExamplesByFamily) {
  const Numbers features{1, 2, 4}, rows{0, 3, 7};
  ledger.evaluated(features, {{}, 10}, Charge::kCost);
  EXPECT_EQ(ledger.meters().fe, 3u * 10);
  EXPECT_EQ(ledger.meters().ops, 3u * 10 * 4);
  ledger.evaluated(features, {rows, 10}, Charge::kCost);
  EXPECT_EQ(ledger.meters().fe, 3u * (10 + 3));
  EXPECT_EQ(ledger.looks()[0].evaluated, 2u * (10 + 3));
  EXPECT_EQ(ledger.looks()[1].evaluated, 1u * (10 + 3));
  EXPECT_EQ(ledger.meters().ue, 0u);
  EXPECT_EQ(ledger.meters().once, 0u);
}

TEST_F(LedgerOfTwoFamilies, AStockIsWorkButNoCost) {
  ledger.evaluated(all_features, {{}, 10}, Charge::kStock);
  EXPECT_EQ(ledger.meters().fe, 0u);
  EXPECT_EQ(ledger.meters().ops, 5u * 10 * 4);
  EXPECT_EQ(ledger.looks()[0].evaluated + ledger.looks()[1].evaluated, 0u);
  ledger.stock(5);
  EXPECT_EQ(ledger.meters().once, 5u * 10);
}

TEST_F(LedgerOfTwoFamilies, OffersAndChosenLearnersHaveCountsOfTheirOwn) {
  ledger.offer(Numbers{0, 1, 3});
  ledger.offer(Numbers{1});
  EXPECT_EQ(ledger.looks()[0].offered, 3u);
  EXPECT_EQ(ledger.looks()[1].offered, 1u);
  ledger.chosen(10);
  ledger.chosen(4);
  EXPECT_EQ(ledger.meters().ue, 14u);
  EXPECT_EQ(ledger.meters().fe + ledger.meters().ops, 0u);
}

TEST_F(LedgerOfTwoFamilies, AnExtensionPaysForTheNewExamplesAlone) {
  const Numbers few{1, 3}, more{1, 2, 3, 9};
  ledger.evaluated(all_features, {few, 10}, Charge::kCost);
  ledger.extended(Numbers{0, 4}, {more, 10});
  EXPECT_EQ(ledger.meters().fe, 5u * 2 + 2 * (4 - 2));
  EXPECT_EQ(ledger.meters().ops, (5u * 2 + 2 * 4) * 4) << "all of them are added up again";
  ledger.extended(Numbers{4}, {{}, 10});
  EXPECT_EQ(ledger.meters().fe, 5u * 2 + 2 * 2 + (10 - 4));
  ledger.extended(Numbers{4}, {{}, 10});
  EXPECT_EQ(ledger.meters().fe, 5u * 2 + 2 * 2 + 6) << "nothing is new";
}

TEST_F(LedgerOfTwoFamilies, WhatExtendsNothingIsCountedWhole) {
  const Numbers few{1, 3}, more{1, 2, 3, 9}, others{1, 2, 9};
  const auto cost_after = [&](const Numbers& features, const LookedAt& examples) {
    ledger.forget();
    ledger.evaluated(Numbers{0, 1}, {few, 10}, Charge::kCost);
    const std::uint64_t before = ledger.meters().fe;
    ledger.extended(features, examples);
    return ledger.meters().fe - before;
  };
  EXPECT_EQ(cost_after({0, 1}, {more, 10}), 2u * 2) << "this one does";
  EXPECT_EQ(cost_after({0, 2}, {more, 10}), 2u * 4) << "another feature";
  EXPECT_EQ(cost_after({0, 1}, {others, 10}), 2u * 3) << "other examples";
  ledger.evaluated(Numbers{0, 1}, {few, 10}, Charge::kCost);
  ledger.forget();
  const std::uint64_t before = ledger.meters().fe;
  ledger.extended(Numbers{0, 1}, {more, 10});
  EXPECT_EQ(ledger.meters().fe - before, 2u * 4) << "other weights";
}

}  // namespace
}  // namespace mash
