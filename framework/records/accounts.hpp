// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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
};

// Names are 2 to 32 letters, digits and hyphens; upper and lower case count as the same. Errors (kInput): a
// name that breaks this rule, or one that is taken, also by ids "name/..." of published heuristics.
Result<std::int64_t> add_user(Records& records, const User& user);
Result<std::optional<User>> find_user(const RecordsReader& records, std::string_view name);
Result<std::vector<User>> read_users(const RecordsReader& records);
// While a user is disabled, none of their tokens or sessions is accepted. Errors (kInput): no such user.
Status disable_user(Records& records, std::int64_t user_id, bool is_disabled = true);
// Ends all sessions of the user. Errors (kInput): no such user.
Status set_password(Records& records, std::int64_t user_id, const std::string& password_hash);
Status set_quota(Records& records, std::int64_t user_id, std::optional<double> seconds);

// Lets one person register. secret: what that person shows; kept as a hash.
Status add_invitation(Records& records, std::int64_t invited_by, std::string_view secret, int days);
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
// The valid tokens of a user, without sessions.
Result<std::vector<Token>> read_tokens(const RecordsReader& records, std::int64_t user_id);
// Revokes all tokens of the user that are of this kind.
Status revoke_tokens(Records& records, std::int64_t user_id, const std::string& kind);
// Errors (kInput): the user has no such token.
Status revoke_token(Records& records, std::int64_t user_id, std::int64_t token_id);

}  // namespace mash
