// SPDX-License-Identifier: Apache-2.0
#include "framework/records/accounts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

class Accounts : public ::testing::Test {
 protected:
  std::int64_t add(const std::string& name) { return *add_user(records_, {0, name, "contributor", "hash"}); }
  bool holds(std::string_view secret) const { return find_holder(records_, secret)->has_value(); }

  sample::Folder folder_;
  Records records_ = *Records::open(folder_ / "mash.db");
};

TEST_F(Accounts, NamesAreShortPlainAndTakenOnceInAnyCase) {
  add("Ada");
  EXPECT_THAT(add_user(records_, {0, "ada", "contributor", ""}).error().message, HasSubstr("is taken"));
  for (const char* name : {"", "a", "has space", "<b>", "..", "0123456789012345678901234567890123"})
    EXPECT_EQ(add_user(records_, {0, name, "contributor", ""}).error().kind, ErrorKind::kInput) << name;
  EXPECT_EQ((*find_user(records_, "ADA"))->name, "Ada");
  EXPECT_FALSE(find_user(records_, "nobody")->has_value());
}

TEST_F(Accounts, ATokenStandsForItsUserUntilItIsRevokedOrExpires) {
  const std::int64_t ada = add("ada"), eve = add("eve");
  const std::int64_t token =
      *add_token(records_, ada, {.scope = Scope::kSubmit, .label = "laptop"}, "s3cret", 30);
  ASSERT_TRUE(add_token(records_, ada, {}, "old", -1).ok());
  const auto holder = *find_holder(records_, "s3cret");
  ASSERT_TRUE(holder.has_value());
  EXPECT_EQ(holder->user.name, "ada");
  EXPECT_EQ(holder->token.scope, Scope::kSubmit);
  EXPECT_FALSE(holds("old"));
  EXPECT_FALSE(holds("S3cret"));
  EXPECT_EQ(read_tokens(records_, ada)->size(), 1u);
  EXPECT_EQ(revoke_token(records_, eve, token).error().kind, ErrorKind::kInput);
  EXPECT_TRUE(holds("s3cret"));
  ASSERT_TRUE(revoke_token(records_, ada, token).ok());
  EXPECT_FALSE(holds("s3cret"));
  EXPECT_TRUE(read_tokens(records_, ada)->empty());
}

TEST_F(Accounts, NoTokenOfADisabledUserIsTaken) {
  const std::int64_t ada = add("ada");
  ASSERT_TRUE(add_token(records_, ada, {}, "s3cret", 30).ok());
  ASSERT_TRUE(disable_user(records_, ada).ok());
  EXPECT_FALSE(holds("s3cret"));
  EXPECT_EQ(disable_user(records_, 99).error().kind, ErrorKind::kInput);
}

TEST_F(Accounts, AUserHasOnlySoManyTokensAndSessions) {
  const std::int64_t ada = add("ada"), eve = add("eve");
  const auto num_rows = [&] {
    return sample::database(records_).execAndGet("SELECT COUNT(*) FROM tokens").getInt();
  };
  for (std::size_t i = 0; i < kMostTokens; ++i)
    ASSERT_TRUE(add_token(records_, ada, {}, fmt::format("token {}", i), 30).ok());
  EXPECT_THAT(add_token(records_, ada, {}, "one more", 30).error().message, HasSubstr("revoke one"));
  EXPECT_FALSE(holds("one more"));
  EXPECT_TRUE(add_token(records_, eve, {}, "another user's", 30).ok());
  ASSERT_TRUE(revoke_token(records_, ada, read_tokens(records_, ada)->front().id).ok());
  EXPECT_TRUE(add_token(records_, ada, {}, "one more", 30).ok());
  const int num_tokens = num_rows();
  EXPECT_EQ(num_tokens, int(kMostTokens) + 1);  // what was revoked is forgotten

  const Token session{.kind = "session"};
  for (std::size_t i = 0; i < kMostSessions + 3; ++i)
    ASSERT_TRUE(add_token(records_, ada, session, fmt::format("session {}", i), 30).ok());
  EXPECT_FALSE(holds("session 2"));
  EXPECT_TRUE(holds("session 3"));
  EXPECT_TRUE(holds(fmt::format("session {}", kMostSessions + 2)));
  EXPECT_EQ(num_rows(), num_tokens + int(kMostSessions));
  EXPECT_TRUE(holds("token 1"));
}

TEST_F(Accounts, ANewPasswordEndsTheSessionsOfItsUser) {
  const std::int64_t ada = add("ada"), eve = add("eve");
  for (const auto& [user, name] : {std::pair(ada, "ada"), std::pair(eve, "eve")}) {
    ASSERT_TRUE(add_token(records_, user, {}, fmt::format("token of {}", name), 30).ok());
    ASSERT_TRUE(add_token(records_, user, {.kind = "session"}, fmt::format("session of {}", name), 30).ok());
  }
  ASSERT_TRUE(set_password(records_, ada, "a hash").ok());
  EXPECT_EQ((*find_user(records_, "ada"))->password_hash, "a hash");
  EXPECT_FALSE(holds("session of ada"));
  EXPECT_TRUE(holds("token of ada"));
  EXPECT_TRUE(holds("session of eve"));
  EXPECT_EQ(set_password(records_, 99, "a hash").error().kind, ErrorKind::kInput);
}

TEST_F(Accounts, TheFileHoldsNoSecret) {
  ASSERT_TRUE(add_token(records_, add("ada"), {}, "s3cret-of-ada", 30).ok());
  EXPECT_EQ(sample::database(records_)
                .execAndGet("SELECT COUNT(*) FROM tokens WHERE hash LIKE '%s3cret%'")
                .getInt(),
            0);
}

TEST_F(Accounts, ScopesHaveWords) {
  for (const Scope scope : {Scope::kRead, Scope::kSubmit, Scope::kOperate})
    EXPECT_EQ(*parse_scope(word_of(scope)), scope);
  EXPECT_THAT(parse_scope("all").error().message, HasSubstr("operate"));
}

}  // namespace
}  // namespace mash
