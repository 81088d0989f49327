// SPDX-License-Identifier: Apache-2.0
#include "framework/records/accounts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "framework/base/hash.hpp"
#include "framework/base/lower_case.hpp"
#include "framework/base/settings.hpp"
#include "framework/records/internal/board_rows.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/submission_rows.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 3> kScopes = {"read", "submit", "operate"};

bool is_user_name(std::string_view name) {
  return name.size() >= 2 && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
         });
}

User user_in(SQLite::Statement& row) {
  User user{row.getColumn("user_id").getInt64(), row.getColumn("name").getString(),
            row.getColumn("role").getString(), row.getColumn("password_hash").getString(),
            row.getColumn("is_disabled").getInt() != 0};
  if (!row.getColumn("quota_seconds").isNull())
    user.quota_seconds = row.getColumn("quota_seconds").getDouble();
  user.closed_at = row.getColumn("closed_at").getString();
  return user;
}

Result<Token> token_in(SQLite::Statement& row) {
  MASH_ASSIGN(const Scope scope, parse_scope(row.getColumn("scope").getString()));
  return Token{row.getColumn("token_id").getInt64(),
               row.getColumn("kind").getString(),
               scope,
               row.getColumn("label").getString(),
               row.getColumn("created_at").getString(),
               row.getColumn("expires_at").getString(),
               row.getColumn("is_revoked").getInt() != 0};
}

// Whether somebody else published a heuristic "name/...": this beginning belongs to them.
bool is_beginning_of_ids(SQLite::Database& database, const std::string& name, std::int64_t user_id) {
  SQLite::Statement row(database, R"sql(
    SELECT 1 FROM submissions WHERE heuristic >= lower(?1) || '/' AND heuristic < lower(?1) || '0'
      AND state IN ('published', 'superseded') AND removed_why IS NULL AND user_id <> ?2 LIMIT 1)sql");
  SQLite::bind(row, name, user_id);
  return row.executeStep();
}

// Whether a contributor of this name would pass for the site or those who run it: also with hyphens, and in
// any case of letters.
bool passes_for_the_site(const std::string& name) {
  constexpr std::string_view kNames[] = {"admin",      "administrator", "admins",    "host",     "mash",
                                         "mashrunner", "mashserver",    "moderator", "official", "operator",
                                         "operators",  "root",          "server",    "site",     "staff",
                                         "support",    "system",        "webmaster"};
  std::string plain = in_lower_case(name);
  std::erase(plain, '-');
  return std::ranges::find(kNames, plain) != std::end(kNames);
}

bool is_of_somebody_else(SQLite::Database& database, const std::string& name, std::int64_t user_id) {
  SQLite::Statement row(database, R"sql(
    SELECT 1 FROM users WHERE name = ?1 AND id <> ?3
    UNION ALL SELECT 1 FROM former_names WHERE hash = ?2 AND user_id <> ?3)sql");
  SQLite::bind(row, name, hash_of_name(name), user_id);
  return row.executeStep();
}

// Errors (kInput): the user may not have this name. user_id: 0: a new one.
Status check_name_for(SQLite::Database& database, const std::string& name, std::int64_t user_id) {
  if (!is_user_name(name))
    return input_error("user name '{}': expected 2 to 32 letters, digits and hyphens", name);
  if (in_lower_case(name).starts_with(kClosedName))
    return input_error("user name '{}': names of closed accounts begin so", name);
  if (is_of_somebody_else(database, name, user_id))
    return input_error("user name '{}': is taken: another user has it, or had it", name);
  if (is_beginning_of_ids(database, name, user_id))
    return input_error("user name '{}': is taken: ids of another user's heuristics begin with '{}/'", name,
                       in_lower_case(name));
  return Done{};
}

void keep_former_name(SQLite::Database& database, std::int64_t user_id, const std::string& name) {
  SQLite::Statement insert(database, "INSERT OR IGNORE INTO former_names (hash, user_id) VALUES (?, ?)");
  SQLite::bind(insert, hash_of_name(name), user_id);
  insert.exec();
}

void set_name(SQLite::Database& database, std::int64_t user_id, const std::string& name) {
  SQLite::Statement update(database, "UPDATE users SET name = ? WHERE id = ?");
  SQLite::bind(update, name, user_id);
  update.exec();
  raise_all_board_revisions(database);
}

// Errors (kInput): there is no such user, or the account is closed.
Result<User> open_user(SQLite::Database& database, std::int64_t user_id) {
  SQLite::Statement row(database, "SELECT *, id AS user_id FROM users WHERE id = ?");
  row.bind(1, user_id);
  if (!row.executeStep()) return input_error("there is no user {}", user_id);
  User user = user_in(row);
  if (user.is_closed()) return input_error("the account {} is closed since {}", user.name, user.closed_at);
  return user;
}

Status check_is_not_the_last_operator(SQLite::Database& database, const User& user) {
  SQLite::Statement row(database, R"sql(
    SELECT 1 FROM users WHERE role = 'operator' AND NOT is_disabled AND id <> ?)sql");
  row.bind(1, user.id);
  if (user.role != kOperatorRole || row.executeStep()) return Done{};
  return input_error("{} is the last operator: expected another one first", user.name);
}

// "closed-17", or with more behind it where an older version let somebody have that name.
std::string closed_name(SQLite::Database& database, std::int64_t user_id) {
  std::string name = fmt::format("{}{}", kClosedName, user_id);
  while (is_of_somebody_else(database, name, user_id)) name += "-x";
  return name;
}

// Forgets all that is of the person, and all by which they came in.
void forget_person(SQLite::Database& database, std::int64_t user_id) {
  for (const char* sql :
       {"DELETE FROM tokens WHERE user_id = ?", "UPDATE invitations SET name = NULL WHERE used_by = ?",
        "UPDATE users SET password_hash = NULL, is_disabled = 1, "
        "closed_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?"}) {
    SQLite::Statement forget(database, sql);
    forget.bind(1, user_id);
    forget.exec();
  }
}

constexpr std::string_view kClosedWhy = "the account of its contributor was closed";

// Cancels what is in work, and removes what does not stay.
void end_work_of(SQLite::Database& database, std::int64_t user_id, ClosedWork work) {
  SQLite::Statement row(database, R"sql(
    SELECT id FROM submissions WHERE user_id = ?
      AND state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded'))sql");
  row.bind(1, user_id);
  std::vector<std::int64_t> in_work;
  while (row.executeStep()) in_work.push_back(row.getColumn(0).getInt64());
  for (const std::int64_t id : in_work) cancel_submission_row(database, id, kClosedWhy);
  SQLite::Statement remove(database, R"sql(
    UPDATE submissions SET removed_why = COALESCE(removed_why, ?1), source = ''
    WHERE user_id = ?2 AND (?3 OR state NOT IN ('published', 'superseded')))sql");
  SQLite::bind(remove, std::string(kClosedWhy), user_id, int(work == ClosedWork::kIsRemoved));
  remove.exec();
}

// Numbers of the user's submissions that stand, and of those that went with the account; what an operator had
// run again is none of their own.
ClosedAccount counted_work(SQLite::Database& database, std::int64_t user_id) {
  SQLite::Statement row(database, R"sql(
    SELECT COALESCE(SUM(removed_why IS NULL), 0), COALESCE(SUM(removed_why = ?), 0)
    FROM submissions WHERE user_id = ? AND rerun_of IS NULL)sql");
  SQLite::bind(row, std::string(kClosedWhy), user_id);
  row.executeStep();
  return {"", row.getColumn(0).getInt64(), row.getColumn(1).getInt64()};
}

// Forgets what holds no more, and makes room for one more: the oldest sessions end. Errors (kInput): tokens
// of which the user has to revoke one.
Status make_room_for_token(SQLite::Database& database, std::int64_t user_id, const std::string& kind) {
  SQLite::Statement forget(database, R"sql(
    DELETE FROM tokens WHERE user_id = ?
      AND (is_revoked OR expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))sql");
  forget.bind(1, user_id);
  forget.exec();
  if (kind == "session") {
    SQLite::Statement end(database, R"sql(
      DELETE FROM tokens WHERE user_id = ?1 AND kind = 'session' AND id NOT IN (
        SELECT id FROM tokens WHERE user_id = ?1 AND kind = 'session' ORDER BY id DESC LIMIT ?2))sql");
    SQLite::bind(end, user_id, std::int64_t(kMostSessions - 1));
    end.exec();
    return Done{};
  }
  SQLite::Statement row(database, "SELECT COUNT(*) FROM tokens WHERE user_id = ? AND kind = 'api'");
  row.bind(1, user_id);
  row.executeStep();
  if (row.getColumn(0).getInt64() < std::int64_t(kMostTokens)) return Done{};
  return input_error("a user has at most {} tokens: revoke one first", kMostTokens);
}

Result<std::int64_t> put_user(SQLite::Database& database, const User& user) {
  MASH_TRY(check_name_for(database, user.name, 0));
  if (user.role == kContributorRole && passes_for_the_site(user.name))
    return input_error("user name '{}': passes for the site itself or those who run it", user.name);
  SQLite::Statement insert(database, R"sql(
    INSERT INTO users (name, role, password_hash) VALUES (?, ?, NULLIF(?, '')))sql");
  SQLite::bind(insert, user.name, user.role, user.password_hash);
  insert.exec();
  return database.getLastInsertRowid();
}

Error no_invitation() { return input_error("the invitation is unknown, was used, or has expired"); }

}  // namespace

std::string_view word_of(Scope scope) { return kScopes[std::size_t(scope)]; }

Result<Scope> parse_scope(std::string_view word) {
  for (std::size_t i = 0; i < kScopes.size(); ++i)
    if (word == kScopes[i]) return static_cast<Scope>(i);
  return unknown_name("scope", word, kScopes);
}

std::string hash_of_name(std::string_view name) { return sha256(in_lower_case(name)); }

Result<std::int64_t> add_user(Records& records, const User& user) {
  return write_records(records, [&](SQLite::Database& database) { return put_user(database, user); });
}

Status rename_user(Records& records, std::int64_t user_id, const std::string& name) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const User user, open_user(database, user_id));
    MASH_TRY(check_name_for(database, name, user_id));
    if (user.role == kContributorRole && passes_for_the_site(name))
      return input_error("user name '{}': passes for the site itself or those who run it", name);
    keep_former_name(database, user_id, user.name);
    set_name(database, user_id, name);
    return Done{};
  });
}

Result<std::optional<User>> find_user(const RecordsReader& records, std::string_view name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<User>> {
    SQLite::Statement row(database, "SELECT *, id AS user_id FROM users WHERE name = ?");
    row.bind(1, std::string(name));
    if (!row.executeStep()) return std::optional<User>();
    return std::optional(user_in(row));
  });
}

Result<std::optional<User>> find_renamed_user(const RecordsReader& records, std::string_view former_name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<User>> {
    SQLite::Statement row(database, R"sql(
      SELECT u.*, u.id AS user_id FROM former_names f JOIN users u ON u.id = f.user_id
      WHERE f.hash = ? AND u.closed_at IS NULL)sql");
    row.bind(1, hash_of_name(former_name));
    if (!row.executeStep()) return std::optional<User>();
    return std::optional(user_in(row));
  });
}

Result<std::vector<User>> read_users(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<User>> {
    SQLite::Statement row(database, "SELECT *, id AS user_id FROM users ORDER BY name");
    std::vector<User> users;
    while (row.executeStep()) users.push_back(user_in(row));
    return users;
  });
}

Status disable_user(Records& records, std::int64_t user_id, bool is_disabled) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const User user, open_user(database, user_id));
    if (is_disabled) MASH_TRY(check_is_not_the_last_operator(database, user));
    SQLite::Statement update(database, "UPDATE users SET is_disabled = ? WHERE id = ?");
    SQLite::bind(update, int(is_disabled), user_id);
    update.exec();
    return Done{};
  });
}

Status set_password(Records& records, std::int64_t user_id, const std::string& password_hash) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_TRY(open_user(database, user_id));
    SQLite::Statement update(database, "UPDATE users SET password_hash = ? WHERE id = ?");
    SQLite::bind(update, password_hash, user_id);
    update.exec();
    SQLite::Statement end(database,
                          "UPDATE tokens SET is_revoked = 1 WHERE user_id = ? AND kind = 'session'");
    end.bind(1, user_id);
    end.exec();
    return Done{};
  });
}

Status set_quota(Records& records, std::int64_t user_id, std::optional<double> seconds) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement update(database, "UPDATE users SET quota_seconds = ? WHERE id = ?");
    if (seconds) update.bind(1, *seconds);
    update.bind(2, user_id);
    if (update.exec() == 0) return input_error("there is no user {}", user_id);
    return Done{};
  });
}

Result<ClosedAccount> close_account(Records& records, std::int64_t user_id, ClosedWork work) {
  return write_records(records, [&](SQLite::Database& database) -> Result<ClosedAccount> {
    MASH_ASSIGN(const User user, open_user(database, user_id));
    MASH_TRY(check_is_not_the_last_operator(database, user));
    end_work_of(database, user_id, work);
    ClosedAccount closed = counted_work(database, user_id);
    closed.name = closed_name(database, user_id);
    keep_former_name(database, user_id, user.name);
    set_name(database, user_id, closed.name);
    forget_person(database, user_id);
    return closed;
  });
}

Status add_invitations(Records& records, std::int64_t invited_by, std::span<const Invitation> invitations,
                       int days) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database, R"sql(
      INSERT INTO invitations (hash, invited_by, name, expires_at)
      VALUES (?, ?, NULLIF(?, ''), strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ? || ' days')))sql");
    for (const Invitation& invitation : invitations) {
      SQLite::bind(insert, sha256(invitation.secret), invited_by, invitation.name, days);
      insert.exec();
      insert.reset();
    }
    return Done{};
  });
}

Status add_invitation(Records& records, std::int64_t invited_by, std::string_view secret, int days) {
  const Invitation one{std::string(secret)};
  return add_invitations(records, invited_by, {&one, 1}, days);
}

Result<std::map<std::int64_t, std::string>> read_invited_names(const RecordsReader& records) {
  return read_records(records,
                      [&](SQLite::Database& database) -> Result<std::map<std::int64_t, std::string>> {
                        SQLite::Statement row(database, R"sql(
      SELECT used_by, name FROM invitations WHERE used_by IS NOT NULL AND name IS NOT NULL)sql");
                        std::map<std::int64_t, std::string> names;
                        while (row.executeStep())
                          names.emplace(row.getColumn(0).getInt64(), row.getColumn(1).getString());
                        return names;
                      });
}

Result<std::vector<KeptInvitation>> read_invitations(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<KeptInvitation>> {
    SQLite::Statement row(database, R"sql(
      SELECT COALESCE(i.name, '') AS name, i.expires_at, COALESCE(u.name, '') AS user
      FROM invitations i LEFT JOIN users u ON u.id = i.used_by
      WHERE CASE WHEN i.used_by IS NULL THEN i.expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
                 ELSE i.name IS NOT NULL END
      ORDER BY i.rowid)sql");
    std::vector<KeptInvitation> invitations;
    while (row.executeStep())
      invitations.push_back(
          {row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getString()});
    return invitations;
  });
}

Result<std::int64_t> withdraw_invitations(Records& records, const std::string& name) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement withdraw(database, R"sql(
      DELETE FROM invitations WHERE name = ? AND used_by IS NULL
        AND expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))sql");
    withdraw.bind(1, name);
    const std::int64_t num = withdraw.exec();
    if (num == 0) return input_error("'{}' has no open invitation", name);
    return num;
  });
}

Status check_invitation(const RecordsReader& records, std::string_view secret) {
  return read_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement row(database, R"sql(
      SELECT 1 FROM invitations
      WHERE hash = ? AND used_by IS NULL AND expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))sql");
    row.bind(1, sha256(secret));
    if (!row.executeStep()) return no_invitation();
    return Done{};
  });
}

Result<std::int64_t> accept_invitation(Records& records, const User& user, std::string_view secret) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    MASH_ASSIGN(const std::int64_t id, put_user(database, user));
    SQLite::Statement update(database, R"sql(
      UPDATE invitations SET used_by = ? WHERE hash = ? AND used_by IS NULL
        AND expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))sql");
    SQLite::bind(update, id, sha256(secret));
    if (update.exec() == 0) return no_invitation();
    return id;
  });
}

Result<std::int64_t> add_token(Records& records, std::int64_t user_id, const Token& token,
                               std::string_view secret, int days) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    MASH_TRY(make_room_for_token(database, user_id, token.kind));
    SQLite::Statement insert(database, R"sql(
      INSERT INTO tokens (user_id, kind, scope, hash, label, expires_at)
      VALUES (?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ? || ' days')))sql");
    SQLite::bind(insert, user_id, token.kind, std::string(word_of(token.scope)), sha256(secret), token.label,
                 days);
    insert.exec();
    return database.getLastInsertRowid();
  });
}

Result<std::optional<TokenHolder>> find_holder(const RecordsReader& records, std::string_view secret) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<TokenHolder>> {
    SQLite::Statement row(database, R"sql(
      SELECT t.*, t.id AS token_id, u.name, u.role, u.password_hash, u.is_disabled, u.quota_seconds,
        u.closed_at
      FROM tokens t JOIN users u ON u.id = t.user_id
      WHERE t.hash = ? AND NOT t.is_revoked AND NOT u.is_disabled
        AND t.expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))sql");
    row.bind(1, sha256(secret));
    if (!row.executeStep()) return std::optional<TokenHolder>();
    MASH_ASSIGN(Token token, token_in(row));
    return std::optional(TokenHolder{user_in(row), std::move(token)});
  });
}

Result<std::optional<std::string>> find_disabled_holder(const RecordsReader& records,
                                                        std::string_view secret) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<std::string>> {
    SQLite::Statement row(database, R"sql(
      SELECT u.name FROM tokens t JOIN users u ON u.id = t.user_id
      WHERE t.hash = ? AND t.kind = 'api' AND NOT t.is_revoked AND u.is_disabled AND u.closed_at IS NULL
        AND t.expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))sql");
    row.bind(1, sha256(secret));
    if (!row.executeStep()) return std::optional<std::string>();
    return std::optional(row.getColumn(0).getString());
  });
}

Result<std::vector<Token>> read_tokens(const RecordsReader& records, std::int64_t user_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Token>> {
    SQLite::Statement row(database, R"sql(
      SELECT *, id AS token_id FROM tokens
      WHERE user_id = ? AND kind = 'api' AND NOT is_revoked
        AND expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ORDER BY id)sql");
    row.bind(1, user_id);
    std::vector<Token> tokens;
    while (row.executeStep()) {
      MASH_ASSIGN(Token token, token_in(row));
      tokens.push_back(std::move(token));
    }
    return tokens;
  });
}

Status revoke_token(Records& records, std::int64_t user_id, std::int64_t token_id) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement update(database, "UPDATE tokens SET is_revoked = 1 WHERE id = ? AND user_id = ?");
    SQLite::bind(update, token_id, user_id);
    if (update.exec() == 0) return input_error("there is no token {} of this user", token_id);
    return Done{};
  });
}

Status revoke_tokens(Records& records, std::int64_t user_id, const std::string& kind) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement update(database, "UPDATE tokens SET is_revoked = 1 WHERE user_id = ? AND kind = ?");
    SQLite::bind(update, user_id, kind);
    update.exec();
    return Done{};
  });
}

}  // namespace mash
