// SPDX-License-Identifier: Apache-2.0
#include "framework/base/instruction_set.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace mash {
namespace {

TEST(InstructionSet, IsOneOfThoseThatCanBeChosen) {
  const std::vector<std::string> names(instruction_sets().begin(), instruction_sets().end());
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(instruction_set(), names.front());
  for (const std::string& name : names) {
    EXPECT_TRUE(choose_instruction_set(name.c_str()));
    EXPECT_EQ(instruction_set(), name);
  }
  EXPECT_TRUE(choose_instruction_set(""));
  EXPECT_EQ(instruction_set(), names.front());
}

TEST(InstructionSet, AnUnknownNameLeavesTheBestInUse) {
  EXPECT_FALSE(choose_instruction_set("PDP-11"));
  EXPECT_EQ(instruction_set(), std::string(instruction_sets().front()));
}

}  // namespace
}  // namespace mash
