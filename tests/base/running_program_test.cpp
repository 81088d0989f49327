// SPDX-License-Identifier: Apache-2.0
#include "framework/base/running_program.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(RunningProgram, IsThisFileUnlessAnotherIsNamed) {
  EXPECT_EQ(running_program().filename(), "test_base");
  set_running_program("/usr/bin/mash");
  EXPECT_EQ(running_program(), "/usr/bin/mash");
  set_running_program("");
  EXPECT_EQ(running_program().filename(), "test_base");
}

}  // namespace
}  // namespace mash
