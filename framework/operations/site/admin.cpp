// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/admin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "framework/base/lower_case.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/held_settings.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLeastPassword = 10, kMostPassword = 200, kMostBoardName = 64;
constexpr std::array<std::string_view, 2> kRoles{kContributorRole, kOperatorRole};

Status check_site(const fs::path& folder) {
  std::error_code code;
  if (fs::exists(database_in(folder), code)) return Done{};
  return input_error("folder {}: holds no site: found no mash.db; mash serve makes one", folder.string());
}

// Errors (kInput): the name is unknown.
template <class Row>
Result<Row> row_named(std::string_view what, const std::string& name, const std::vector<Row>& rows,
                      bool (*is_equal)(const std::string&, const std::string&)) {
  std::vector<std::string_view> known;
  for (const Row& row : rows) {
    if (is_equal(row.name, name)) return row;
    known.push_back(row.name);
  }
  if (known.empty()) known.push_back("none");
  return unknown_name(what, printable(name), known);
}

// Whether two texts of experiments mean the same.
bool is_same_experiment(const std::string& a, const std::string& b) {
  const auto first = parse_experiment(a, "board", {}), second = parse_experiment(b, "board", {});
  return first.ok() && second.ok() && mean_the_same(*first, *second);
}

bool is_same(const std::string& a, const std::string& b) { return a == b; }
// As the database compares the names of users.
bool is_same_but_for_case(const std::string& a, const std::string& b) {
  return in_lower_case(a) == in_lower_case(b);
}

bool is_board_name(std::string_view name) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kMostBoardName && is_letter_or_digit(name[0]) &&
         std::ranges::all_of(
             name, [&](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
}

Json or_null(const auto& value) { return value ? Json(*value) : Json(); }

Json board_json(const Board& board) {
  return {{"board", board.name},
          {"version", board.version},
          {"num_seeds", board.num_seeds},
          {"ladder_step", ladder_step_json(board.ladder_step)},
          {"created_at", board.created_at}};
}

}  // namespace

Result<Records> open_site(const fs::path& folder) {
  MASH_TRY(check_site(folder));
  return Records::open(database_in(folder));
}

Result<RecordsReader> open_site_to_read(const fs::path& folder) {
  MASH_TRY(check_site(folder));
  return Records::open_read_only(database_in(folder));
}

Result<MadeUser> make_user(Records& records, const NewUser& user) {
  if (std::ranges::find(kRoles, user.role) == kRoles.end()) return unknown_name("role", user.role, kRoles);
  MadeUser made;
  made.user.name = user.name;
  made.user.role = user.role;
  if (user.password) {
    if (num_code_points(*user.password) < kLeastPassword || user.password->size() > kMostPassword)
      return input_error("password: expected {} to {} characters", kLeastPassword, kMostPassword);
    MASH_ASSIGN(made.user.password_hash, hash_password(*user.password));
  }
  MASH_ASSIGN(made.user.id, add_user(records, made.user));
  if (user.password) return made;
  const Scope scope = user.role == kOperatorRole ? Scope::kOperate : Scope::kSubmit;
  MASH_ASSIGN(made.token, make_token(records, made.user, scope, kUserTokenDays));
  return made;
}

Result<User> named_user(const RecordsReader& records, const std::string& name) {
  MASH_ASSIGN(const auto users, read_users(records));
  return row_named("user", name, users, is_same_but_for_case);
}

Result<std::vector<UserRow>> list_users(const RecordsReader& records) {
  MASH_ASSIGN(const auto users, read_users(records));
  std::vector<UserRow> rows;
  for (const User& user : users) {
    MASH_ASSIGN(const double used, seconds_used(records, user.id, 1));
    MASH_ASSIGN(const std::int64_t num_waiting, num_in_work(records, user.id));
    rows.push_back({user, used, num_waiting});
  }
  return rows;
}

Result<std::string> make_token(Records& records, const User& user, Scope scope, int days) {
  if (scope == Scope::kOperate && user.role != kOperatorRole)
    return input_error("{} is a {}; a token that operates is for an operator", user.name, user.role);
  const std::string token = make_secret();
  MASH_ASSIGN([[maybe_unused]] const std::int64_t id,
              add_token(records, user.id, {.scope = scope, .label = "made by the operator"}, token, days));
  return token;
}

Result<std::string> make_invitation(Records& records, int days) {
  MASH_ASSIGN(const auto users, read_users(records));
  const auto host = std::ranges::find_if(
      users, [](const User& user) { return user.role == kOperatorRole && !user.is_disabled; });
  if (host == users.end())
    return input_error("no operator yet, in whose name to invite; mash server user add makes one");
  const std::string code = make_secret();
  MASH_TRY(add_invitation(records, host->id, code, days));
  return code;
}

Result<Board> described_board(const SiteBoard& settings) {
  MASH_ASSIGN(const Experiment experiment, read_experiment(settings.experiment, {}));
  MASH_TRY(check_has_booster(experiment, "a board offers heuristics to the rounds of a booster"));
  const std::string name = settings.name.empty() ? experiment.name : settings.name;
  if (!is_board_name(name))
    return input_error(
        "board '{}': expected a name of letters, digits, '.', '_' and '-' that begins with a letter or "
        "digit, at most {} long",
        printable(name), kMostBoardName);
  return Board{0, name, to_yaml(experiment), settings.num_seeds, settings.ladder_step};
}

Result<ConfiguredBoard> configure_board(Records& records, const Board& board) {
  MASH_ASSIGN(const auto former, read_board_versions(records, board.name));
  Board wanted = board;
  if (!former.empty() && is_same_experiment(former[0].experiment, board.experiment))
    wanted.experiment = former[0].experiment;
  MASH_TRY(put_board(records, wanted));
  MASH_ASSIGN(auto versions, read_board_versions(records, board.name));
  ConfiguredBoard put{std::move(versions.at(0))};
  put.is_new_version = !former.empty() && former[0].id != put.board.id;
  return put;
}

std::string new_version_remark(const Board& board) {
  return fmt::format(
      "board {}: version {} now, as its experiment or settings changed; what was judged before stays on the "
      "former version until it is run again: mash server rerun {}",
      board.name, board.version, board.name);
}

Result<Board> named_board(const RecordsReader& records, const std::string& name) {
  MASH_ASSIGN(const auto boards, read_boards(records));
  return row_named("board", name, boards, is_same);
}

Result<std::vector<BoardRow>> list_boards(const RecordsReader& records) {
  MASH_ASSIGN(const auto boards, read_boards(records));
  std::vector<BoardRow> rows;
  for (const Board& board : boards) {
    MASH_ASSIGN(const auto entries, read_board_entries(records, board.id));
    rows.push_back({board, entries.size()});
  }
  return rows;
}

Json to_json(const MadeUser& made) {
  return {{"user", made.user.name}, {"role", made.user.role}, {"token", or_null(made.token)}};
}

Json to_json(std::span<const UserRow> users) {
  Json list = Json::array();
  for (const UserRow& row : users)
    list.push_back({{"user", row.user.name},
                    {"role", row.user.role},
                    {"is_disabled", row.user.is_disabled},
                    {"has_password", !row.user.password_hash.empty()},
                    {"quota_seconds", or_null(row.user.quota_seconds)},
                    {"used_seconds", row.used_seconds},
                    {"num_waiting", row.num_waiting}});
  return {{"users", list}};
}

Json to_json(const ConfiguredBoard& board) { return board_json(board.board); }

Json to_json(std::span<const BoardRow> boards) {
  Json list = Json::array();
  for (const BoardRow& row : boards) {
    list.push_back(board_json(row.board));
    list.back()["num_entries"] = row.num_entries;
  }
  return {{"boards", list}};
}

}  // namespace mash
