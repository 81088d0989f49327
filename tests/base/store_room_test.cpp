// SPDX-License-Identifier: Apache-2.0
#include "framework/base/store_room.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

TEST(StoreRoom, IsThatOfTheNearestFolder) {
  const testing::ScratchFolder folder;
  EXPECT_GT(free_bytes(folder.path()), 0u);
  const StoreRoom room = store_room(folder / "not/there/yet", 1);
  EXPECT_GT(room.free_bytes, 0u);
  EXPECT_TRUE(room.is_enough());
  EXPECT_FALSE(store_room(folder.path(), std::numeric_limits<std::uint64_t>::max()).is_enough());
}

// /proc is on no disk.
TEST(StoreRoom, WithoutFreeBytesIsNotEnough) {
  const StoreRoom room = store_room("/proc/mash/store");
  EXPECT_EQ(room.in_words(),
            "store /proc/mash/store: its disk has 0 B of free space, expected at least 1.0 GiB");
  EXPECT_FALSE(room.is_enough());
  EXPECT_TRUE(store_room("/proc/mash/store", 0).is_enough());
}

TEST(StoreRoom, AsManyBytesAsAreWantedAreEnough) {
  EXPECT_TRUE((StoreRoom{"store", 5, 5}).is_enough());
  EXPECT_FALSE((StoreRoom{"store", 4, 5}).is_enough());
}

}  // namespace
}  // namespace mash
