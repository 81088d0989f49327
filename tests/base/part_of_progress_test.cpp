// SPDX-License-Identifier: Apache-2.0
#include "framework/base/part_of_progress.hpp"

#include <gtest/gtest.h>

#include "tests/support/heard_progress.hpp"

namespace mash {
namespace {

TEST(PartOfProgress, MovesTheWholeByItsShareWhateverItCounts) {
  testing::HeardProgress whole;
  whole.start("all", 10, "parts");
  PartOfProgress part(whole, 4);
  part.start("one", 200, "images");
  part.advance(100);
  EXPECT_EQ(whole.done, 2u);
  part.advance(99);
  EXPECT_EQ(whole.done, 3u) << "whole steps only";
  part.note("nearly");
  part.finish();
  EXPECT_EQ(whole.done, 4u);
  part.finish();
  EXPECT_EQ(whole.done, 4u) << "its share, once";
  EXPECT_EQ(whole.tasks, std::vector<std::string>{"all"}) << "no bar of its own";
  EXPECT_EQ(whole.notes, std::vector<std::string>{"nearly"});
}

TEST(RoughDuration, IsSaidAsPeopleSayIt) {
  EXPECT_EQ(rough_duration(0.2), "1 s");
  EXPECT_EQ(rough_duration(45.4), "45 s");
  EXPECT_EQ(rough_duration(59), "1 min");
  EXPECT_EQ(rough_duration(190), "3 min");
  EXPECT_EQ(rough_duration(9000), "2.5 h");
}

}  // namespace
}  // namespace mash
