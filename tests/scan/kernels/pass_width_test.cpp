// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/pass_width.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace mash {
namespace {

class PassWidth : public ::testing::Test {
 protected:
  void SetUp() override { choose_pass_width(0); }
  void TearDown() override {
    ::unsetenv("MASH_PASS_WIDTH");
    choose_pass_width(0);
  }
};

TEST_F(PassWidth, IsTheFirstOneUntilOneIsChosen) {
  EXPECT_EQ(pass_width(), kPassWidths.front());
  choose_pass_width(kPassWidths.back());
  EXPECT_EQ(pass_width(), kPassWidths.back());
}

TEST_F(PassWidth, AChosenOneIsKeptAndNoneIsTimed) {
  choose_pass_width(kPassWidths.back());
  choose_fastest_pass_width();
  EXPECT_EQ(pass_width(), kPassWidths.back());
}

TEST_F(PassWidth, TheFastestIsOneOfThemAndIsKept) {
  choose_fastest_pass_width();
  const std::size_t fastest = pass_width();
  EXPECT_THAT(kPassWidths, ::testing::Contains(fastest));
  choose_fastest_pass_width();
  EXPECT_EQ(pass_width(), fastest);
}

TEST_F(PassWidth, TheEnvironmentChooses) {
  for (const std::size_t width : kPassWidths) {
    ::setenv("MASH_PASS_WIDTH", std::to_string(width).c_str(), 1);
    EXPECT_TRUE(choose_pass_width_of_environment().ok());
    EXPECT_EQ(pass_width(), width);
  }
}

TEST_F(PassWidth, AnotherNumberInTheEnvironmentIsAnError) {
  for (const char* text : {"3", "0", "two", " 2", "2 "}) {
    ::setenv("MASH_PASS_WIDTH", text, 1);
    const Status chosen = choose_pass_width_of_environment();
    ASSERT_FALSE(chosen.ok()) << text;
    EXPECT_EQ(chosen.error().kind, ErrorKind::kInput);
    EXPECT_THAT(chosen.error().message, ::testing::HasSubstr("MASH_PASS_WIDTH: '" + std::string(text) + "'"));
    EXPECT_EQ(pass_width(), kPassWidths.front());
  }
}

TEST_F(PassWidth, AnEmptyEnvironmentChoosesNothing) {
  ::setenv("MASH_PASS_WIDTH", "", 1);
  EXPECT_TRUE(choose_pass_width_of_environment().ok());
  EXPECT_EQ(pass_width(), kPassWidths.front());
}

}  // namespace
}  // namespace mash
