// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/restart_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(RestartPolicy, GivesUpWhatNeverRanAtItsFifthEnd) {
  RestartPolicy policy;
  for (const double wait : {0.2, 0.4, 0.8, 1.6}) EXPECT_EQ(policy.wait_after(4.9), wait);
  EXPECT_EQ(policy.wait_after(4.9), std::nullopt);
}

TEST(RestartPolicy, NeverGivesUpWhatRanOnceAndWaitsAtMostHalfAMinute) {
  RestartPolicy policy;
  EXPECT_EQ(policy.wait_after(5), 0.2);
  for (const double wait : {0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6}) EXPECT_EQ(policy.wait_after(0), wait);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(policy.wait_after(0), 30);
}

TEST(RestartPolicy, WhatOthersKillIsNotGivenUp) {
  RestartPolicy policy;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(policy.wait_after(0, true));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(policy.wait_after(0), 30);
  EXPECT_EQ(policy.wait_after(0), std::nullopt);
}

TEST(RestartPolicy, WaitsAsAtFirstAfterALongRun) {
  RestartPolicy policy;
  for (int i = 0; i < 4; ++i) policy.wait_after(1);
  EXPECT_EQ(policy.wait_after(600), 0.2);
  EXPECT_EQ(policy.wait_after(1), 0.4);
  EXPECT_EQ(policy.wait_after(600), 0.2);
}

}  // namespace
}  // namespace mash
