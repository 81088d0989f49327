// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/server_people.hpp"

#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "framework/base/program_end.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/render/table.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kInvitationDays = 14, kMostInvitationDays = 366, kMostTokenDays = 3650;

// One line, without its end.
Result<std::string> read_password() {
  std::string line;
  if (::isatty(STDIN_FILENO)) print_error_text("password: ");
  if (!std::getline(std::cin, line)) return input_error("--password-stdin: found no line on stdin");
  return line;
}

Status add_one_user(const AdminState& state) {
  NewUser user{state.name, state.role};
  if (state.password_from_stdin) {
    MASH_ASSIGN(user.password, read_password());
  }
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const MadeUser made, make_user(records, user));
  std::string text = fmt::format("{}: added as {}\n", made.user.name, made.user.role);
  if (made.token) text += fmt::format("The token, which is shown this once: {}\n", *made.token);
  return print_admin(state, to_json(made), text);
}

std::string_view access_of(const User& user) {
  if (user.is_closed()) return "closed";
  return user.is_disabled ? "disabled" : "";
}

Status show_users(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const auto rows, list_users(records));
  std::string text = fmt::format("{:<32} {:<12} {:<9} {:>10} {:>12} {:>8}  {}\n", "user", "role", "",
                                 "quota s", "used s (24h)", "waiting", "invited as");
  for (const UserRow& row : rows)
    text += fmt::format("{:<32} {:<12} {:<9} {:>10} {:>12.1f} {:>8}  {}\n", row.user.name, row.user.role,
                        access_of(row.user),
                        row.user.quota_seconds ? fmt::format("{}", *row.user.quota_seconds) : "default",
                        row.used_seconds, row.num_waiting, row.invited_as.empty() ? "–" : row.invited_as);
  return print_admin(state, to_json(rows), text);
}

Status disable_one_user(const AdminState& state, bool is_disabled) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  MASH_TRY(disable_user(records, user.id, is_disabled));
  return print_admin(state, {{"user", user.name}, {"is_disabled", is_disabled}},
                     fmt::format("{}: {}\n", user.name, is_disabled ? "disabled" : "enabled"));
}

Status set_one_quota(const AdminState& state) {
  std::optional<double> seconds;
  if (state.quota != "default") {
    Settings one;
    one.add("SECONDS", state.quota, "user quota");
    MASH_ASSIGN(seconds, one.real("SECONDS", 0, 0, 1e9));
  }
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  MASH_TRY(set_quota(records, user.id, seconds));
  return print_admin(
      state, {{"user", user.name}, {"quota_seconds", seconds ? Json(*seconds) : Json()}},
      fmt::format("{}: {}\n", user.name,
                  seconds ? fmt::format("{} s of runners' time", *seconds) : "the server's quota"));
}

Status make_one_token(const AdminState& state) {
  MASH_ASSIGN(const Scope scope, parse_scope(state.scope));
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  MASH_ASSIGN(const std::string token, make_token(records, user, scope, state.days));
  return print_admin(state,
                     {{"user", user.name}, {"scope", word_of(scope)}, {"days", state.days}, {"token", token}},
                     fmt::format("The token of {}, which is shown this once: {}\n", user.name, token));
}

Status reset_one_password(const AdminState& state) {
  std::optional<std::string> chosen;
  if (state.password_from_stdin) {
    MASH_ASSIGN(chosen, read_password());
  }
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  MASH_ASSIGN(const std::string password, reset_password(records, user, chosen));
  return print_admin(
      state, {{"user", user.name}, {"password", chosen ? Json() : Json(password)}},
      chosen ? fmt::format("{}: has the new password; sessions have ended\n", user.name)
             : fmt::format("The password of {}, which is shown this once: {}\n", user.name, password));
}

Status rename_one_user(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  MASH_TRY(rename_user(records, user.id, state.new_name));
  return print_admin(state, {{"user", state.new_name}, {"former_name", user.name}},
                     fmt::format("{}: is called {} now\n", user.name, state.new_name));
}

Status close_one_account(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const User user, named_user(records, state.name));
  const ClosedWork work = state.removes_published ? ClosedWork::kIsRemoved : ClosedWork::kStays;
  MASH_ASSIGN(const ClosedAccount closed, close_account(records, user.id, work));
  return print_admin(
      state,
      {{"user", closed.name},
       {"former_name", user.name},
       {"num_published", closed.num_published},
       {"num_removed", closed.num_removed}},
      fmt::format("{}: closed, and called {} now; {} published {}, {} removed\n", user.name, closed.name,
                  closed.num_published, closed.num_published == 1 ? "submission stays" : "submissions stay",
                  closed.num_removed));
}

Status invite_one(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const std::string code, make_invitation(records, state.days));
  const std::string link = registration_link(state.url, code);
  return print_admin(
      state,
      {{"invitation", code}, {"days", state.days}, {"link", link.empty() ? Json(nullptr) : Json(link)}},
      fmt::format("The invitation, for one person in the next {} days: {}\n{}", state.days, code,
                  link.empty() ? "" : link + "\n"));
}

Json json_of(const std::vector<KeptInvitation>& invitations) {
  Json list = Json::array();
  for (const KeptInvitation& one : invitations) {
    Json& json = list.emplace_back(Json{{"name", one.name.empty() ? Json() : Json(one.name)}});
    if (one.user.empty())
      json["expires_at"] = one.expires_at;
    else
      json["user"] = one.user;
  }
  return list;
}

Status list_invitations(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const auto invitations, open_invitations(records));
  Table table{"Open invitations", {{"name", "name"}, {"expires_at", "open until"}}, {}, "none is open"};
  for (const KeptInvitation& one : invitations)
    table.rows.push_back({one.name.empty() ? Cell() : Cell(printable(one.name)), one.expires_at});
  return print_admin(state, {{"invitations", json_of(invitations)}}, render_text(table));
}

Status withdraw_from(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const std::int64_t num, withdraw_invitations(records, state.name));
  return print_admin(
      state, {{"name", state.name}, {"num_withdrawn", num}},
      fmt::format("{}: {} withdrawn\n", printable(state.name), counted(std::size_t(num), "invitation")));
}

Status invite_all(const AdminState& state) {
  MASH_ASSIGN(const auto names, read_names(state.file));
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const MadeInvitations invitations, make_invitations(records, names, state.days));
  const CommandWork work(state.output, 1, true);
  for (const std::string& remark : remarks_on(invitations)) work.context().remarks.tell(remark);
  Table table{
      "Invitations", {{"name", "name"}, {"invitation", "invitation"}, {"link", "link"}}, {}, "no name"};
  Json list = Json::array();
  for (const Invitation& one : invitations.made) {
    const std::string link = registration_link(state.url, one.secret);
    table.rows.push_back({one.name, one.secret, link.empty() ? Cell() : Cell(link)});
    list.push_back({{"name", one.name},
                    {"invitation", one.secret},
                    {"link", link.empty() ? Json(nullptr) : Json(link)}});
  }
  if (state.output.json)
    print_json({{"days", state.days},
                {"invitations", list},
                {"registered", json_of(invitations.registered)},
                {"open_before", json_of(invitations.open)}});
  else
    fmt::print("{}", render_csv(without_formulas(without_empty_column(table, "link"))));
  return Done{};
}

Status invite(const AdminState& state) {
  if (state.lists_invitations) return list_invitations(state);
  if (!state.name.empty()) return withdraw_from(state);
  MASH_TRY(check_public_url(state.url));
  return state.file.empty() ? invite_one(state) : invite_all(state);
}

void add_password_option(AdminCommands& commands, CLI::App& app, const char* what) {
  app.add_flag("--password-stdin", commands.state().password_from_stdin, what);
}

// Access of users.
void add_access_commands(AdminCommands& commands) {
  commands.add_name(commands.command("disable", "Lock a user out", "mash server user disable ada",
                                     [](const AdminState& state) { return disable_one_user(state, true); }),
                    "The user");
  commands.add_name(commands.command("enable", "Let a user in again", "mash server user enable ada",
                                     [](const AdminState& state) { return disable_one_user(state, false); }),
                    "The user");
  CLI::App& password = commands.command(
      "password", "Give a user a new password, which ends their sessions; it is made, and shown once",
      "mash server user password ada", reset_one_password);
  commands.add_name(password, "The user");
  add_password_option(commands, password, "Take the password from the first line of stdin");
}

void add_account_commands(AdminCommands& commands) {
  CLI::App& rename = commands.command(
      "rename",
      "Give a user another name; nobody else can take the former one, and ids that begin with it "
      "stay theirs",
      "mash server user rename ada lovelace", rename_one_user);
  commands.add_name(rename, "The user");
  rename.add_option("NEW-NAME", commands.state().new_name, "2 to 32 letters, digits and hyphens")->required();
  CLI::App& close = commands.command(
      "close",
      "Close an account for good: its name is shown no more, and what it published stays on the boards "
      "under a name such as closed-17",
      "mash server user close ada", close_one_account);
  commands.add_name(close, "The user");
  close.add_flag("--remove", commands.state().removes_published, "Remove what it published, too");
}

}  // namespace

void add_user_commands(AdminCommands& commands) {
  CLI::App& add = commands.command("add", "Add a user; without a password a token is made, and shown once",
                                   "mash server user add ada --role operator --folder my-site", add_one_user);
  commands.add_name(add, "2 to 32 letters, digits and hyphens");
  takes_one_of(add.add_option("--role", commands.state().role, "What the user may do")->capture_default_str(),
               std::array<std::string_view, 2>{kContributorRole, kOperatorRole});
  add_password_option(commands, add, "Take the password to log in with from the first line of stdin");
  commands.command("list", "All users, what they used and what waits", "mash server user list --json",
                   show_users);
  add_access_commands(commands);
  CLI::App& quota = commands.command(
      "quota", "Set how many seconds of the runners' time a user may take within the server's quota.days",
      "mash server user quota ada 7200", set_one_quota);
  commands.add_name(quota, "The user");
  quota
      .add_option("SECONDS", commands.state().quota, "Number of seconds, or 'default' for the server's quota")
      ->required();
  CLI::App& token = commands.command("token", "Make a token for a user, shown once",
                                     "mash server user token ada --scope read --days 30", make_one_token);
  commands.add_name(token, "The user");
  takes_one_of(token.add_option("--scope", commands.state().scope, "What it allows")->capture_default_str(),
               std::array<std::string_view, 3>{"read", "submit", "operate"});
  commands.add_days(token, kUserTokenDays, kMostTokenDays);
  add_account_commands(commands);
}

void add_invite_command(AdminCommands& commands) {
  CLI::App& app = commands.command("invite", "Make an invitation, with which one person registers",
                                   "mash server invite --days 14 --url https://mash.example.org", invite);
  commands.add_days(app, kInvitationDays, kMostInvitationDays);
  app.add_option("--url", commands.state().url, "The site's public address, for a link to register by")
      ->type_name("URL");
  CLI::Option* names =
      app.add_option("--names", commands.state().file,
                     "Make an invitation for each name of a file, one a line, and print them as CSV; mash "
                     "server user list and grades show the name beside the user who registers with it. Names "
                     "by which somebody has registered are left out")
          ->type_name("FILE");
  CLI::Option* list = app.add_flag("--list", commands.state().lists_invitations,
                                   "List the invitations that are open, without their codes")
                          ->excludes(names);
  app.add_option("--withdraw", commands.state().name, "Take back the open invitations of this name")
      ->type_name("NAME")
      ->excludes(names)
      ->excludes(list);
}

}  // namespace mash
