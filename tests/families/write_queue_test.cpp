// SPDX-License-Identifier: Apache-2.0
#include "framework/families/write_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace mash {
namespace {

using std::chrono_literals::operator""ms;

TEST(WriteQueue, WritesOneAfterTheOtherInTheirOrder) {
  std::vector<int> order;
  std::atomic<int> num_under_way = 0;
  WriteQueue writes;
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(writes
                    .add([&, i]() -> Status {
                      EXPECT_EQ(++num_under_way, 1);
                      std::this_thread::sleep_for(2ms);
                      order.push_back(i);
                      --num_under_way;
                      return Done{};
                    })
                    .ok());
  EXPECT_TRUE(writes.wait().ok());
  EXPECT_THAT(order, ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(WriteQueue, GoesOnBesideWhatFollows) {
  std::atomic<bool> may_end = false;
  WriteQueue writes;
  ASSERT_TRUE(writes
                  .add([&]() -> Status {
                    while (!may_end) std::this_thread::sleep_for(1ms);
                    return Done{};
                  })
                  .ok());
  may_end = true;  // reached while the write waits for it
  EXPECT_TRUE(writes.wait().ok());
}

TEST(WriteQueue, AnErrorIsToldByTheNextCallAndNothingMoreIsBegun) {
  WriteQueue writes;
  ASSERT_TRUE(writes.add([]() -> Status { return failure("the disk is full"); }).ok());
  bool begun = false;
  const Status next = writes.add([&]() -> Status {
    begun = true;
    return Done{};
  });
  ASSERT_FALSE(next.ok());
  EXPECT_EQ(next.error().message, "the disk is full");
  EXPECT_TRUE(writes.wait().ok());
  EXPECT_FALSE(begun);
}

TEST(WriteQueue, WaitTellsTheErrorOfTheLastWrite) {
  WriteQueue writes;
  EXPECT_TRUE(writes.wait().ok());
  ASSERT_TRUE(writes.add([]() -> Status { return failure("the disk is full"); }).ok());
  EXPECT_FALSE(writes.wait().ok());
}

TEST(WriteQueue, TheDestructorWaits) {
  bool written = false;
  {
    WriteQueue writes;
    ASSERT_TRUE(writes
                    .add([&]() -> Status {
                      std::this_thread::sleep_for(5ms);
                      written = true;
                      return Done{};
                    })
                    .ok());
  }
  EXPECT_TRUE(written);
}

}  // namespace
}  // namespace mash
