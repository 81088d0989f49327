// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t(1) << 30;

TEST(StoreWarning, ComesWhereTheStoreTakesMoreThanAFifth) {
  EXPECT_FALSE(store_warning("s", 20 * kGiB, {100 * kGiB, 50 * kGiB}).has_value());
  const auto warning = store_warning("s", 21 * kGiB, {100 * kGiB, 50 * kGiB});
  ASSERT_TRUE(warning.has_value());
  EXPECT_THAT(*warning, ::testing::AllOf(::testing::HasSubstr("21.0 GiB"), ::testing::HasSubstr("21 %"),
                                         ::testing::HasSubstr("more than 20 %"),
                                         ::testing::HasSubstr("mash store prune")));
}

TEST(StoreWarning, ComesWhereTheDiskIsNearlyFull) {
  EXPECT_FALSE(store_warning("s", 5 * kGiB, {100 * kGiB, 10 * kGiB}).has_value());
  const auto warning = store_warning("s", 5 * kGiB, {100 * kGiB, 9 * kGiB});
  ASSERT_TRUE(warning.has_value());
  EXPECT_THAT(*warning, ::testing::AllOf(::testing::HasSubstr("9.0 GiB are free"),
                                         ::testing::HasSubstr("less than 10 %")));
}

TEST(StoreWarning, SaysNothingOfASmallStoreOnAFullDisk) {
  EXPECT_FALSE(store_warning("s", kGiB - 1, {100 * kGiB, 0}).has_value());
  EXPECT_TRUE(store_warning("s", kGiB, {100 * kGiB, 0}).has_value());
}

TEST(StoreWarning, OfNoStoreIsNothing) { EXPECT_FALSE(store_warning("/no/such/store").has_value()); }

}  // namespace
}  // namespace mash
