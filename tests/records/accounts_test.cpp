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
  EXPECT_FALSE(find_disabled_holder(records_, "s3cret")->has_value());
  ASSERT_TRUE(disable_user(records_, ada).ok());
  EXPECT_FALSE(holds("s3cret"));
  EXPECT_EQ(**find_disabled_holder(records_, "s3cret"), "ada");
  EXPECT_FALSE(find_disabled_holder(records_, "another")->has_value());
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

TEST_F(Accounts, AFormerNameStaysItsUsers) {
  const std::int64_t ada = add("Ada");
  add("eve");
  ASSERT_TRUE(add_token(records_, ada, {.kind = "session"}, "session", 30).ok());
  ASSERT_TRUE(rename_user(records_, ada, "lovelace").ok());
  EXPECT_FALSE(find_user(records_, "ada")->has_value());
  EXPECT_EQ((*find_user(records_, "Lovelace"))->id, ada);
  EXPECT_EQ((*find_renamed_user(records_, "ADA"))->name, "lovelace");
  EXPECT_FALSE(find_renamed_user(records_, "eve")->has_value());
  EXPECT_TRUE(holds("session"));
  EXPECT_THAT(add_user(records_, {0, "ADA", "contributor", ""}).error().message, HasSubstr("is taken"));
  EXPECT_THAT(rename_user(records_, (*find_user(records_, "eve"))->id, "ada").error().message,
              HasSubstr("is taken"));
  EXPECT_THAT(rename_user(records_, ada, "eve").error().message, HasSubstr("is taken"));
  for (const char* name : {"a", "a/b", "closed-1", "Closed-x"})
    EXPECT_EQ(rename_user(records_, ada, name).error().kind, ErrorKind::kInput) << name;
  EXPECT_TRUE(rename_user(records_, ada, "LOVELACE").ok()) << "only the case";
  EXPECT_TRUE(rename_user(records_, ada, "ada").ok()) << "back";
  EXPECT_THAT(add_user(records_, {0, "lovelace", "contributor", ""}).error().message, HasSubstr("is taken"));
  EXPECT_EQ(rename_user(records_, 99, "nobody").error().message, "there is no user 99");
}

TEST_F(Accounts, AClosedAccountForgetsThePersonAndKeepsTheName) {
  add("other");
  ASSERT_TRUE(add_user(records_, {0, "olga", "operator", ""}).ok());
  const Invitation invitation{"code", "Ada Lovelace"};
  ASSERT_TRUE(add_invitations(records_, 2, {&invitation, 1}, 7).ok());
  const std::int64_t ada = *accept_invitation(records_, {0, "ada", "contributor", "hash"}, "code");
  EXPECT_EQ(read_invited_names(records_)->at(ada), "Ada Lovelace");
  for (const char* kind : {"api", "session"})
    ASSERT_TRUE(add_token(records_, ada, {.kind = kind}, kind, 30).ok());
  const ClosedAccount closed = *close_account(records_, ada, ClosedWork::kStays);
  EXPECT_EQ(closed.name, "closed-3");
  EXPECT_EQ(closed.num_published + closed.num_removed, 0);
  for (const char* secret : {"api", "session"}) EXPECT_FALSE(holds(secret)) << secret;
  EXPECT_FALSE(find_user(records_, "ada")->has_value());
  EXPECT_FALSE(find_renamed_user(records_, "ada")->has_value()) << "nobody learns who it was";
  const User user = **find_user(records_, "closed-3");
  EXPECT_TRUE(user.is_closed());
  EXPECT_EQ(user.password_hash, "");
  EXPECT_TRUE(read_invited_names(records_)->empty());
  EXPECT_THAT(add_user(records_, {0, "Ada", "contributor", ""}).error().message, HasSubstr("is taken"));
  for (const Status& again :
       {disable_user(records_, ada, false), set_password(records_, ada, "hash"),
        rename_user(records_, ada, "ada"), Status(close_account(records_, ada, ClosedWork::kStays).error())})
    EXPECT_THAT(again.error().message, HasSubstr("the account closed-3 is closed since 20"));
  ASSERT_TRUE(add_token(records_, ada, {}, "made later", 30).ok());
  EXPECT_FALSE(holds("made later"));
}

TEST_F(Accounts, TheLastOperatorStays) {
  const std::int64_t olga = *add_user(records_, {0, "olga", "operator", ""}),
                     otto = *add_user(records_, {0, "otto", "operator", ""});
  ASSERT_TRUE(disable_user(records_, otto).ok());
  EXPECT_EQ(close_account(records_, olga, ClosedWork::kStays).error().message,
            "olga is the last operator: expected another one first");
  EXPECT_TRUE(find_user(records_, "olga")->has_value());
  ASSERT_TRUE(disable_user(records_, otto, false).ok());
  EXPECT_TRUE(close_account(records_, olga, ClosedWork::kStays).ok());
}

TEST_F(Accounts, TheLastOperatorIsNotDisabled) {
  const std::int64_t olga = *add_user(records_, {0, "olga", "operator", ""});
  EXPECT_EQ(disable_user(records_, olga).error().message,
            "olga is the last operator: expected another one first");
  EXPECT_FALSE((*find_user(records_, "olga"))->is_disabled);
  ASSERT_TRUE(add_user(records_, {0, "otto", "operator", ""}).ok());
  EXPECT_TRUE(disable_user(records_, olga).ok());
}

TEST_F(Accounts, NoContributorPassesForTheSite) {
  for (const char* name : {"MASH", "operator", "Admin", "m-a-s-h", "SERVER", "mash-server"})
    EXPECT_THAT(add_user(records_, {0, name, "contributor", ""}).error().message,
                ::testing::HasSubstr("passes for the site itself"))
        << name;
  const std::int64_t ada = *add_user(records_, {0, "professor", "contributor", ""});
  EXPECT_FALSE(rename_user(records_, ada, "mash").ok());
  EXPECT_TRUE(add_user(records_, {0, "operator", "operator", ""}).ok()) << "an operator may be called so";
}

TEST_F(Accounts, OpenInvitationsAreListedAndWithdrawn) {
  const std::int64_t olga = *add_user(records_, {0, "olga", "operator", ""});
  const Invitation three[] = {{"one", "Ada"}, {"two"}, {"three", "Eve"}};
  ASSERT_TRUE(add_invitations(records_, olga, three, 7).ok());
  ASSERT_TRUE(accept_invitation(records_, {0, "ada", "contributor", ""}, "one").ok());
  const auto kept = *read_invitations(records_);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0].user, "ada");
  EXPECT_EQ(kept[1].name, "");
  EXPECT_EQ(kept[2].name, "Eve");
  EXPECT_EQ(kept[2].user, "");
  EXPECT_EQ(*withdraw_invitations(records_, "Eve"), 1);
  EXPECT_FALSE(check_invitation(records_, "three").ok());
  for (const char* name : {"Eve", "Ada"})
    EXPECT_EQ(withdraw_invitations(records_, name).error().message,
              fmt::format("'{}' has no open invitation", name));
  EXPECT_EQ(read_invitations(records_)->size(), 2u);
}

TEST_F(Accounts, InvitationsOfAListAreMadeTogether) {
  const std::int64_t olga = *add_user(records_, {0, "olga", "operator", ""});
  const Invitation twice[] = {{"one", "Ada"}, {"one", "Eve"}};
  EXPECT_FALSE(add_invitations(records_, olga, twice, 7).ok());
  EXPECT_FALSE(check_invitation(records_, "one").ok()) << "none was made";
  const Invitation two[] = {{"one", "Ada"}, {"two"}};
  ASSERT_TRUE(add_invitations(records_, olga, two, 7).ok());
  const std::int64_t eve = *accept_invitation(records_, {0, "eve", "contributor", ""}, "two");
  const std::int64_t ada = *accept_invitation(records_, {0, "ada", "contributor", ""}, "one");
  const auto names = *read_invited_names(records_);
  EXPECT_EQ(names.at(ada), "Ada");
  EXPECT_FALSE(names.contains(eve));
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
