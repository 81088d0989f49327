// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/admin.hpp"

#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "framework/base/file.hpp"
#include "framework/base/lower_case.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/held_settings.hpp"
#include "framework/operations/site/terms.hpp"
#include "framework/records/site/known_pictures.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLeastPassword = 10, kMostPassword = 200, kMostBoardName = 64, kMostInvitedBytes = 200;
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

Json with_terms(Json json, const Board& board) {
  json.update(terms_json(board.terms));
  return json;
}

Json board_json(const Board& board, CopiesRule copies) {
  return with_terms({{"board", board.name},
                     {"version", board.version},
                     {"num_seeds", board.num_seeds},
                     {"ladder_step", ladder_step_json(board.ladder_step)},
                     {"copies", word_of(copies)},
                     {"created_at", board.created_at}},
                    board);
}

Status check_new_password(const std::string& password) {
  if (num_code_points(password) >= kLeastPassword && password.size() <= kMostPassword) return Done{};
  return input_error("password: expected {} to {} characters", kLeastPassword, kMostPassword);
}

// The operator in whose name invitations are made.
Result<std::int64_t> inviting_operator(const RecordsReader& records) {
  MASH_ASSIGN(const auto users, read_users(records));
  const auto host = std::ranges::find_if(
      users, [](const User& user) { return user.role == kOperatorRole && !user.is_disabled; });
  if (host == users.end())
    return input_error("no operator yet, in whose name to invite; mash server user add makes one");
  return host->id;
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
    MASH_TRY(check_new_password(*user.password));
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
  MASH_ASSIGN(const auto names, read_invited_names(records));
  std::vector<UserRow> rows;
  for (const User& user : users) {
    MASH_ASSIGN(const double used, seconds_used(records, user.id, 1));
    MASH_ASSIGN(const std::int64_t num_waiting, num_in_work(records, user.id));
    const auto name = names.find(user.id);
    rows.push_back({user, name == names.end() ? "" : name->second, used, num_waiting});
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
  MASH_ASSIGN(const std::int64_t host, inviting_operator(records));
  const std::string code = make_secret();
  MASH_TRY(add_invitation(records, host, code, days));
  return code;
}

Result<std::vector<std::string>> read_names(const fs::path& file) {
  MASH_ASSIGN(const std::string text, read_file(file, kMostTextBytes));
  std::vector<std::string> names;
  std::map<std::string, std::size_t> lines;  // in which a name stands
  std::istringstream stream{std::string(without_byte_order_mark(text))};
  std::string name;
  for (std::size_t line = 1; std::getline(stream, name); ++line) {
    name.erase(name.find_last_not_of(" \t\r") + 1);
    name.erase(0, name.find_first_not_of(" \t"));
    if (name.empty()) continue;
    if (!is_line_of_text(name) || name.size() > kMostInvitedBytes)
      return input_error("{}:{}: found '{}', expected a name of at most {} bytes", file.string(), line,
                         printable(name, 60), kMostInvitedBytes);
    const auto [former, is_new] = lines.emplace(name, line);
    if (!is_new)
      return input_error("{}:{}: '{}' is in line {} already", file.string(), line, name, former->second);
    names.push_back(name);
  }
  if (names.empty()) return input_error("{}: found no name, expected one a line", file.string());
  return names;
}

Result<MadeInvitations> make_invitations(Records& records, const std::vector<std::string>& names, int days) {
  MASH_ASSIGN(const std::int64_t host, inviting_operator(records));
  MASH_ASSIGN(const auto kept, read_invitations(records));
  MadeInvitations invitations;
  for (const std::string& name : names) {
    const auto is_registered = [&](const KeptInvitation& one) {
      return one.name == name && !one.user.empty();
    };
    if (const auto found = std::ranges::find_if(kept, is_registered); found != kept.end()) {
      invitations.registered.push_back(*found);
      continue;
    }
    invitations.made.push_back({make_secret(), name});
    std::ranges::copy_if(kept, std::back_inserter(invitations.open),
                         [&](const KeptInvitation& one) { return one.name == name; });
  }
  MASH_TRY(add_invitations(records, host, invitations.made, days));
  return invitations;
}

std::vector<std::string> remarks_on(const MadeInvitations& invitations) {
  std::vector<std::string> remarks;
  for (const KeptInvitation& one : invitations.registered)
    remarks.push_back(fmt::format("{} has the account {} by an earlier invitation, and gets no other",
                                  printable(one.name), one.user));
  for (const KeptInvitation& one : invitations.open)
    remarks.push_back(
        fmt::format("{} has an earlier invitation, which is open until {}; both let one person register each",
                    printable(one.name), moment_in_words(one.expires_at)));
  return remarks;
}

Result<std::vector<KeptInvitation>> open_invitations(const RecordsReader& records) {
  MASH_ASSIGN(auto kept, read_invitations(records));
  std::erase_if(kept, [](const KeptInvitation& one) { return !one.user.empty(); });
  return kept;
}

std::string registration_link(const std::string& site_url, const std::string& code) {
  return site_url.empty() ? "" : fmt::format("{}/register?invitation={}", site_url, code);
}

Result<std::string> reset_password(Records& records, const User& user, std::optional<std::string> password) {
  if (!password) password = make_secret();
  MASH_TRY(check_new_password(*password));
  MASH_ASSIGN(const std::string hash, hash_password(*password));
  MASH_TRY(set_password(records, user.id, hash));
  return *std::move(password);
}

Result<DescribedBoard> described_board(const SiteBoard& settings) {
  MASH_ASSIGN(const Experiment experiment, read_experiment(settings.experiment, {}));
  MASH_TRY(check_has_booster(experiment, "a board offers heuristics to the rounds of a booster"));
  const std::string name = settings.name.empty() ? experiment.name : settings.name;
  if (!is_board_name(name))
    return input_error(
        "board '{}': expected a name of letters, digits, '.', '_' and '-' that begins with a letter or "
        "digit, at most {} long",
        printable(name), kMostBoardName);
  MASH_TRY(changed_terms({}, settings.terms));
  Board board{0, name, to_yaml(experiment), settings.num_seeds.value_or(kUsualBoardSeeds)};
  board.ladder_step = settings.ladder_step.value_or(usual_ladder_step(board));
  return DescribedBoard{std::move(board), settings.terms, settings.copies, settings.num_seeds,
                        settings.ladder_step};
}

Result<Board> wanted_board(const RecordsReader& records, const DescribedBoard& described) {
  Board wanted = described.board;
  MASH_ASSIGN(const auto versions, read_board_versions(records, wanted.name));
  if (versions.empty()) return wanted;
  const Board& newest = versions[0];
  wanted.num_seeds = described.num_seeds.value_or(newest.num_seeds);
  // Data that everybody has need no Ladder; data of one's own that come after them do.
  const bool needs_other_step = newest.ladder_step == 0 && usual_ladder_step(newest) == 0;
  wanted.ladder_step =
      described.ladder_step.value_or(needs_other_step ? usual_ladder_step(wanted) : newest.ladder_step);
  if (is_same_experiment(newest.experiment, wanted.experiment)) wanted.experiment = newest.experiment;
  return wanted;
}

Result<ConfiguredBoard> configure_board(Records& records, const DescribedBoard& described) {
  MASH_ASSIGN(const Board wanted, wanted_board(records, described));
  MASH_ASSIGN(const auto former, read_board_versions(records, wanted.name));
  MASH_TRY(changed_terms(former.empty() ? BoardTerms{} : former[0].terms, described.terms));
  MASH_TRY(put_board(records, wanted));
  MASH_ASSIGN(const auto versions, read_board_versions(records, wanted.name));
  MASH_ASSIGN(ConfiguredBoard put,
              change_terms(records, {versions.at(0), described.terms, described.copies}));
  if (!former.empty() && former[0].id != put.board.id) put.former = former[0];
  return put;
}

Result<ConfiguredBoard> change_terms(Records& records, const DescribedBoard& described) {
  const Board& board = described.board;
  ConfiguredBoard changed{board};
  MASH_ASSIGN(changed.board.terms, changed_terms(board.terms, described.terms));
  if (changed.board.terms != board.terms) MASH_TRY(put_board_terms(records, board.name, changed.board.terms));
  if (described.copies) MASH_TRY(set_copies_rule(records, board.name, *described.copies));
  MASH_ASSIGN(changed.copies, read_copies_rule(records, board.name));
  return changed;
}

std::string ladder_step_text(const Board& board) {
  return board.ladder_step == kPlaceboStep ? std::string(kPlaceboWord) : fmt::format("{}", board.ladder_step);
}

std::string board_in_words(const Board& board) {
  const std::string times = times_in_words(board.terms, moment_now());
  return fmt::format("version {}; at most {} seeds; ladder step {}{}", board.version, board.num_seeds,
                     ladder_step_text(board), times.empty() ? "" : "; " + times);
}

std::string new_version_remark(const ConfiguredBoard& put) {
  const Board &board = put.board, &former = put.former.value();
  std::vector<std::string> differences;
  if (board.experiment != former.experiment) differences.push_back("another experiment");
  if (board.num_seeds != former.num_seeds)
    differences.push_back(fmt::format("{} seeds in place of {}", board.num_seeds, former.num_seeds));
  if (board.ladder_step != former.ladder_step)
    differences.push_back(
        fmt::format("ladder step {} in place of {}", ladder_step_text(board), ladder_step_text(former)));
  return fmt::format(
      "board {}: version {} now, with {}; what was judged before stays on the former version until it is run "
      "again: mash server rerun {}",
      board.name, board.version, fmt::join(differences, ", "), board.name);
}

Status check_leaves_usable_files(const fs::path& folder, std::uint32_t user) {
  struct stat site {};
  if (user != 0 || ::stat(folder.c_str(), &site) != 0 || site.st_uid == 0) return Done{};
  const passwd* owner = ::getpwuid(site.st_uid);
  const std::string name = owner != nullptr ? owner->pw_name : fmt::format("#{}", site.st_uid);
  return input_error(
      "folder {}: belongs to the user {}, whose runners could not use what root writes into its store; give "
      "the same command as that user: sudo -u {} mash ...",
      folder.string(), name, shell_word(name));
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
    MASH_ASSIGN(const CopiesRule copies, read_copies_rule(records, board.name));
    rows.push_back({board, entries.size(), copies});
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
                    {"closed_at", row.user.is_closed() ? Json(row.user.closed_at) : Json()},
                    {"invited_as", row.invited_as.empty() ? Json() : Json(row.invited_as)},
                    {"has_password", !row.user.password_hash.empty()},
                    {"quota_seconds", or_null(row.user.quota_seconds)},
                    {"used_seconds", row.used_seconds},
                    {"num_waiting", row.num_waiting}});
  return {{"users", list}};
}

Json to_json(const ConfiguredBoard& board) { return board_json(board.board, board.copies); }

Json to_json(std::span<const BoardRow> boards) {
  Json list = Json::array();
  for (const BoardRow& row : boards) {
    list.push_back(board_json(row.board, row.copies));
    list.back()["num_entries"] = row.num_entries;
  }
  return {{"boards", list}};
}

}  // namespace mash
