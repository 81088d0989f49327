// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/records.hpp"

// Users, tokens and their rights on a server. Passwords come as the hash of framework/base/secrets.hpp, and
// tokens are kept as their SHA-256: a reader of the file cannot log in with what it holds.
namespace mash {

inline constexpr std::string_view kContributorRole = "contributor";
inline constexpr std::string_view kOperatorRole = "operator";

// Rights of a token. Each includes the rights before it.
enum class Scope { kRead, kSubmit, kOperate };
std::string_view word_of(Scope scope);
// Errors (kInput): none of "read", "submit", "operate".
Result<Scope> parse_scope(std::string_view word);

struct User {
  std::int64_t id = 0;
  std::string name, role;
  std::string password_hash;  // empty: uses tokens only
  bool is_disabled = false;
  std::optional<double> quota_seconds = {};  // of runners' time in a window; nothing: the server's own limit
  std::string closed_at = {};                // UTC, ISO 8601; empty: the account is not closed

  bool is_closed() const { return !closed_at.empty(); }
};

// The beginning of the names of closed accounts, which no user has.
inline constexpr std::string_view kClosedName = "closed-";
// The hash under which a name stays that of a user who has another one now.
std::string hash_of_name(std::string_view name);

// Names are 2 to 32 letters, digits and hyphens, and do not begin with kClosedName; upper and lower case
// count as the same. Errors (kInput): a name that breaks this rule, or one that is or was another user's,
// also in ids "name/..." of published heuristics.
Result<std::int64_t> add_user(Records& records, const User& user);
// The former name stays the user's: nobody else can take it. Errors (kInput): those of add_user; there is no
// such user, or the account is closed.
Status rename_user(Records& records, std::int64_t user_id, const std::string& name);
Result<std::optional<User>> find_user(const RecordsReader& records, std::string_view name);
// The user who had this name before; nothing: nobody, or an account that is closed.
Result<std::optional<User>> find_renamed_user(const RecordsReader& records, std::string_view former_name);
Result<std::vector<User>> read_users(const RecordsReader& records);
// While a user is disabled, none of their tokens or sessions is accepted. Errors (kInput): no such user; the
// account is closed, or to be disabled and the last operator's.
Status disable_user(Records& records, std::int64_t user_id, bool is_disabled = true);
// Ends all sessions of the user. Errors (kInput): no such user; the account is closed.
Status set_password(Records& records, std::int64_t user_id, const std::string& password_hash);
Status set_quota(Records& records, std::int64_t user_id, std::optional<double> seconds);

// Published submissions of an account that is closed.
enum class ClosedWork { kStays, kIsRemoved };
struct ClosedAccount {
  std::string name = {};                            // of the account from now on, "closed-17"
  std::int64_t num_published = 0, num_removed = 0;  // of submissions: that stay, that went now
};
// Closes the account for good: its password, tokens and sessions are forgotten, and its name, which nobody
// else can take, gives way to "closed-17" wherever it was shown. Submissions in work are cancelled. All that
// is not published is removed, with its sources; what is published stays on its boards under the new name, or
// is removed too. Errors (kInput): no such user; it is closed already; it is the last operator's.
Result<ClosedAccount> close_account(Records& records, std::int64_t user_id, ClosedWork work);

// Lets one person register.
struct Invitation {
  std::string secret;     // that the person shows; kept as a hash
  std::string name = {};  // for operators: who is invited; empty: nobody in particular
};
// All of them, or where there is an error none.
Status add_invitations(Records& records, std::int64_t invited_by, std::span<const Invitation> invitations,
                       int days);
Status add_invitation(Records& records, std::int64_t invited_by, std::string_view secret, int days);
// An invitation as it is kept, without its code.
struct KeptInvitation {
  std::string name, expires_at;
  std::string user;  // who registered with it; empty: nobody did, and it is open
};
// Those with a name that somebody registered with, and all that are open; the oldest first.
Result<std::vector<KeptInvitation>> read_invitations(const RecordsReader& records);
// Takes back all open ones of this name; returns their number. Errors (kInput): there is none.
Result<std::int64_t> withdraw_invitations(Records& records, const std::string& name);
// The names of invitations that users registered with, by the users' ids.
Result<std::map<std::int64_t, std::string>> read_invited_names(const RecordsReader& records);
// Errors (kInput): the invitation is unknown, was used, or has expired.
Status check_invitation(const RecordsReader& records, std::string_view secret);
// Adds the user and uses up the invitation. Errors (kInput): those of add_user; the invitation is unknown,
// was used, or has expired.
Result<std::int64_t> accept_invitation(Records& records, const User& user, std::string_view secret);

// Bounds for one user. A session more ends the oldest one; a token more is refused.
inline constexpr std::size_t kMostTokens = 100, kMostSessions = 20;

struct Token {
  std::int64_t id = 0;
  std::string kind = "api";  // or "session": a browser that has logged in
  Scope scope = Scope::kSubmit;
  std::string label = {};       // what its owner calls it
  std::string created_at = {};  // UTC, ISO 8601
  std::string expires_at = {};
  bool is_revoked = false;
};

// A token with its user.
struct TokenHolder {
  User user;
  Token token;
};

// secret: what its owner shows; kept as a hash. days: how long it holds. Errors (kInput): kMostTokens.
Result<std::int64_t> add_token(Records& records, std::int64_t user_id, const Token& token,
                               std::string_view secret, int days);
// Nothing where the secret is unknown, has expired or was revoked, or its user is disabled.
Result<std::optional<TokenHolder>> find_holder(const RecordsReader& records, std::string_view secret);
// The name of a disabled user whose API token would hold else; nothing: the secret is of no such token.
Result<std::optional<std::string>> find_disabled_holder(const RecordsReader& records,
                                                        std::string_view secret);
// The valid tokens of a user, without sessions.
Result<std::vector<Token>> read_tokens(const RecordsReader& records, std::int64_t user_id);
// Revokes all tokens of the user that are of this kind.
Status revoke_tokens(Records& records, std::int64_t user_id, const std::string& kind);
// Errors (kInput): the user has no such token.
Status revoke_token(Records& records, std::int64_t user_id, std::int64_t token_id);

}  // namespace mash
