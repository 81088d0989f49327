// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

TEST(Leaderboard, Opens) {
  sample::Folder folder;
  EXPECT_TRUE(Records::open(folder / "mash.db").ok());
}

}  // namespace
}  // namespace mash
