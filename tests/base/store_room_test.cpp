// SPDX-License-Identifier: Apache-2.0
#include "framework/base/store_room.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
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

// Root may write everywhere: the test is nobody for as long as it looks.
TEST(StoreRoom, AStoreWithAFolderOrLockOfAnotherUserIsNotEnough) {
  const testing::ScratchFolder scratch;
  const std::filesystem::path store = scratch / "store", family = store / "hog-1", lock = family / "lock";
  std::filesystem::create_directories(family);
  std::ofstream(lock) << "";
  const bool is_root = ::geteuid() == 0;
  const auto look = [&] {
    EXPECT_TRUE(!is_root || ::seteuid(65534) == 0);
    const StoreRoom room = store_room(store, 0);
    EXPECT_TRUE(!is_root || ::seteuid(0) == 0);
    return room;
  };
  const auto set = [&](const std::filesystem::path& path, unsigned mode) {
    std::filesystem::permissions(path, std::filesystem::perms(mode));
  };
  set(scratch.path(), 0777);
  for (const auto& path : {store, family}) set(path, 0777);
  set(lock, 0666);
  EXPECT_TRUE(look().is_enough()) << look().in_words();
  set(lock, 0444);
  EXPECT_EQ(look().closed, lock);
  EXPECT_EQ(look().in_words(), "store " + store.string() + ": nothing can be written to " + lock.string() +
                                   ", expected all of it to belong to the user of the runners (chown -R)");
  set(lock, 0666);
  set(family, 0555);
  EXPECT_EQ(look().closed, family);
  EXPECT_FALSE(look().is_enough());
  EXPECT_TRUE(look().has_space());
  set(family, 0777);
}

TEST(StoreRoom, AsManyBytesAsAreWantedAreEnough) {
  EXPECT_TRUE((StoreRoom{"store", 5, 5}).is_enough());
  EXPECT_FALSE((StoreRoom{"store", 4, 5}).is_enough());
}

}  // namespace
}  // namespace mash
