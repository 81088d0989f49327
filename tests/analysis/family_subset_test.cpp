// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/family_subset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FamilySubset, AllButSomeInAnyOrder) {
  EXPECT_THAT(all_but({}, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(all_but(FamilySubset{3, 1}, 5), ElementsAre(0, 2, 4));
  EXPECT_THAT(all_but(FamilySubset{0}, 1), IsEmpty());
}

}  // namespace
}  // namespace mash
