// SPDX-License-Identifier: Apache-2.0
#include "framework/base/instruction_set.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
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

TEST(InstructionSet, PlainLoopsCanBeChosenToo) {
  ASSERT_STREQ(instruction_sets().back(), "SCALAR");
  EXPECT_FALSE(uses_plain_loops());
  EXPECT_TRUE(choose_instruction_set("scalar"));
  EXPECT_TRUE(uses_plain_loops());
  EXPECT_STREQ(instruction_set(), "SCALAR");
  EXPECT_TRUE(choose_instruction_set(""));
  EXPECT_FALSE(uses_plain_loops());
}

TEST(InstructionSet, TheEnvironmentChoosesByName) {
  constexpr const char* kVariable = "MASH_IMPLEMENTATION";
  for (const char* name : instruction_sets()) {
    ::setenv(kVariable, implementation_name(name).c_str(), 1);
    EXPECT_TRUE(choose_instruction_set_of_environment().ok());
    EXPECT_STREQ(instruction_set(), name);
  }
  ::setenv(kVariable, "scalr", 1);
  const Status unknown = choose_instruction_set_of_environment();
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kInput);
  EXPECT_THAT(unknown.error().message, ::testing::HasSubstr("'scalr'"));
  for (const char* name : instruction_sets())
    EXPECT_THAT(unknown.error().message, ::testing::HasSubstr(implementation_name(name)));
  ::unsetenv(kVariable);
  EXPECT_TRUE(choose_instruction_set_of_environment().ok());
  EXPECT_STREQ(instruction_set(), instruction_sets().front());
}

TEST(InstructionSet, AnUnknownNameLeavesTheBestInUse) {
  EXPECT_FALSE(choose_instruction_set("PDP-11"));
  EXPECT_EQ(instruction_set(), std::string(instruction_sets().front()));
}

}  // namespace
}  // namespace mash
