// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/store_setting.hpp"

#include <gtest/gtest.h>

#include "framework/base/file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

TEST(StoreSetting, IsOffUntilItIsSet) {
  const testing::ScratchFolder folder;
  const std::filesystem::path store = folder / "none/yet";
  EXPECT_FALSE(keeps_values(store));
  ASSERT_TRUE(set_keeps_values(store, true).ok());
  EXPECT_TRUE(keeps_values(store));
  ASSERT_TRUE(set_keeps_values(store, false).ok());
  EXPECT_FALSE(keeps_values(store));
}

TEST(StoreSetting, ThatCannotBeReadIsOff) {
  const testing::ScratchFolder folder;
  for (const char* text :
       {"", "{", "[]", "{\"values\": 1}", "{\"values\": \"keep it\"}", "{\"other\": \"keep\"}"}) {
    ASSERT_TRUE(write_file_atomically(folder / "settings.json", text).ok());
    EXPECT_FALSE(keeps_values(folder.path())) << text;
  }
  ASSERT_TRUE(write_file_atomically(folder / "settings.json", "{\"values\": \"keep\"}").ok());
  EXPECT_TRUE(keeps_values(folder.path()));
  EXPECT_FALSE(set_keeps_values(folder / "settings.json", true).ok()) << "a file is no store";
}

}  // namespace
}  // namespace mash
