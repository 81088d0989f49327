// SPDX-License-Identifier: Apache-2.0
#include "framework/base/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace mash {
namespace {

TEST(Secrets, AreLongAndDiffer) {
  std::set<std::string> secrets;
  for (int i = 0; i < 1000; ++i) secrets.insert(make_secret());
  EXPECT_EQ(secrets.size(), 1000u);
  for (const std::string& secret : secrets) {
    EXPECT_EQ(secret.size(), 43u);
    EXPECT_EQ(secret.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
  }
}

TEST(Secrets, APasswordMatchesItsOwnHashOnly) {
  const std::string hash = *hash_password("correct horse");
  EXPECT_THAT(hash, ::testing::StartsWith("$argon2id$v=19$m=65536,t=3,p=4$"));
  EXPECT_TRUE(matches_password(hash, "correct horse"));
  EXPECT_FALSE(matches_password(hash, "correct Horse"));
  EXPECT_FALSE(matches_password(hash, ""));
  EXPECT_NE(*hash_password("correct horse"), hash);
  for (const char* none : {"", "x", "$argon2id$v=19$m=65536,t=3,p=4$"})
    EXPECT_FALSE(matches_password(none, ""));
}

TEST(Secrets, AreEqualWhereEachByteIs) {
  EXPECT_TRUE(equal_secrets("", ""));
  EXPECT_TRUE(equal_secrets("abc", "abc"));
  EXPECT_FALSE(equal_secrets("abc", "abd"));
  EXPECT_FALSE(equal_secrets("abc", "abcd"));
}

}  // namespace
}  // namespace mash
