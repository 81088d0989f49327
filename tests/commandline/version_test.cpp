// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/support/program.hpp"

namespace mash {
namespace {

class Version : public ::testing::TestWithParam<const char*> {};

TEST_P(Version, IsToldByEachProgram) {
  testing::Sandbox sandbox;
  const std::string program = testing::binary_folder() + "/bin/" + GetParam();
  const testing::ProgramResult version = sandbox.run({program, "--version"});
  EXPECT_EQ(version.exit_code, 0) << version.err;
  EXPECT_THAT(version.out,
              ::testing::MatchesRegex(std::string(GetParam()) + " [0-9.]+\ncommit +.*\ncompiler +.*\n.*\n"));
  EXPECT_EQ(sandbox.run({program, "-V"}).out, version.out);
}

INSTANTIATE_TEST_SUITE_P(Programs, Version, ::testing::Values("mash", "mash-server", "mash-runner"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace mash
