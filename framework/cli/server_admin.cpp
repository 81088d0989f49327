// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>

#include "framework/base/program_end.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/site/admin.hpp"
#include "framework/records/backup.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct AdminState {
  OutputOptions output;
  std::string folder = "mash-site";
  std::string name, role = std::string(kContributorRole), quota, scope = "submit", url, file;
  bool password_from_stdin = false;
  int days = 0;
  SiteBoard board;
};

Status print_admin(const AdminState& state, const Json& json, const std::string& text) {
  if (state.output.json)
    print_json(json);
  else
    fmt::print("{}", harmless(text));
  return Done{};
}

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

Status show_users(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const auto rows, list_users(records));
  std::string text = fmt::format("{:<32} {:<12} {:<9} {:>10} {:>12} {:>8}\n", "user", "role", "", "quota s",
                                 "used s (24h)", "waiting");
  for (const UserRow& row : rows)
    text += fmt::format("{:<32} {:<12} {:<9} {:>10} {:>12.1f} {:>8}\n", row.user.name, row.user.role,
                        row.user.is_disabled ? "disabled" : "",
                        row.user.quota_seconds ? fmt::format("{}", *row.user.quota_seconds) : "default",
                        row.used_seconds, row.num_waiting);
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

Status invite(const AdminState& state) {
  MASH_TRY(check_public_url(state.url));
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const std::string code, make_invitation(records, state.days));
  const std::string link = state.url.empty() ? "" : fmt::format("{}/register?invitation={}", state.url, code);
  return print_admin(
      state,
      {{"invitation", code}, {"days", state.days}, {"link", link.empty() ? Json(nullptr) : Json(link)}},
      fmt::format("The invitation, for one person in the next {} days: {}\n{}", state.days, code,
                  link.empty() ? "" : link + "\n"));
}

Status show_boards(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const auto boards, list_boards(records));
  std::string text = fmt::format("{:<24} {:>7} {:>5} {:>7} {:>10}  {}\n", "board", "version", "seeds",
                                 "ladder", "heuristics", "since");
  for (const auto& [board, num_entries] : boards)
    text +=
        fmt::format("{:<24} {:>7} {:>5} {:>7} {:>10}  {}\n", board.name, board.version, board.num_seeds,
                    board.ladder_step == kPlaceboStep ? kPlaceboWord : fmt::format("{}", board.ladder_step),
                    num_entries, board.created_at);
  return print_admin(state, to_json(boards), text);
}

Status put_one_board(const AdminState& state) {
  MASH_ASSIGN(const Board board, described_board(state.board));
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const ConfiguredBoard put, configure_board(records, board));
  const CommandWork work(state.output, 1, true);
  if (put.is_new_version) work.context().remarks.tell(new_version_remark(put.board));
  return print_admin(state, to_json(put), fmt::format("{}: version {}\n", put.board.name, put.board.version));
}

Status rerun_one_board(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const Board board, named_board(records, state.name));
  MASH_ASSIGN(const BoardRerun rerun, rerun_board(records, board.name));
  return print_admin(state,
                     {{"board", board.name},
                      {"version", board.version},
                      {"num_submissions", rerun.num_submissions},
                      {"left_out", rerun.left_out}},
                     fmt::format("{}: {}\n", board.name, told(rerun, board.version)));
}

Status back_up(const AdminState& state) {
  MASH_TRY(open_site_to_read(state.folder));
  MASH_ASSIGN(const std::uint64_t bytes, backup_records(database_in(state.folder), state.file));
  return print_admin(state, {{"file", state.file}, {"bytes", bytes}},
                     fmt::format("{}: {} bytes, checked\n", state.file, bytes));
}

Status restore(const AdminState& state) {
  std::error_code code;
  if (!std::filesystem::is_directory(state.folder, code))
    return input_error("folder {}: there is none; --folder names another one", state.folder);
  const std::filesystem::path database = database_in(state.folder);
  MASH_ASSIGN(const auto kept, restore_records(state.file, database));
  return print_admin(state,
                     {{"database", database.string()}, {"kept", kept ? Json(kept->string()) : Json(nullptr)}},
                     fmt::format("{}: restored\n{}", database.string(),
                                 kept ? fmt::format("What was there is kept as {}\n", kept->string()) : ""));
}

// Adds commands with the options that all of them take.
class Adder {
 public:
  explicit Adder(CLI::App& parent) : parent_(&parent) {}

  CLI::App& command(const char* name, const char* summary, const char* example,
                    Status (*run)(const AdminState&)) {
    const auto state = std::make_shared<AdminState>();
    CLI::App* app = parent_->add_subcommand(name, summary);
    state->output.add_to(*app);
    app->add_option("--folder", state->folder, "The folder of the site")
        ->type_name("DIR")
        ->capture_default_str();
    app->footer(fmt::format("Example:\n  {}", example));
    subcommands.push_back({app, [state, run] { return run(*state); }});
    state_ = state;
    return *app;
  }
  // That of the command that was added last.
  AdminState& state() { return *state_; }

  CLI::App& group(const char* name, const char* summary, const char* example) {
    CLI::App* app = parent_->add_subcommand(name, summary);
    app->require_subcommand(1);
    app->footer(fmt::format("Example:\n  {}", example));
    return *app;
  }
  void turn_to(CLI::App& parent) { parent_ = &parent; }

  std::vector<Subcommand> subcommands;

 private:
  CLI::App* parent_;
  std::shared_ptr<AdminState> state_;
};

void add_name(Adder& adder, CLI::App& app, const char* what) {
  app.add_option("NAME", adder.state().name, what)->required();
}

void add_days(Adder& adder, CLI::App& app, int days, int most) {
  adder.state().days = days;
  app.add_option("--days", adder.state().days, "How long it holds")
      ->type_name("N")
      ->check(within(1, most))
      ->capture_default_str();
}

void add_user_commands(Adder& adder) {
  CLI::App& add = adder.command("add", "Add a user; without a password a token is made, and shown once",
                                "mash server user add ada --role operator --folder my-site", add_one_user);
  add_name(adder, add, "2 to 32 letters, digits and hyphens");
  takes_one_of(add.add_option("--role", adder.state().role, "What the user may do")->capture_default_str(),
               std::array<std::string_view, 2>{kContributorRole, kOperatorRole});
  add.add_flag("--password-stdin", adder.state().password_from_stdin,
               "Take the password to log in with from the first line of stdin");
  adder.command("list", "All users, what they used and what waits", "mash server user list --json",
                show_users);
  add_name(adder,
           adder.command("disable", "Lock a user out", "mash server user disable ada",
                         [](const AdminState& state) { return disable_one_user(state, true); }),
           "The user");
  add_name(adder,
           adder.command("enable", "Let a user in again", "mash server user enable ada",
                         [](const AdminState& state) { return disable_one_user(state, false); }),
           "The user");
  CLI::App& quota = adder.command(
      "quota", "Set how many seconds of the runners' time a user may take within the server's quota.days",
      "mash server user quota ada 7200", set_one_quota);
  add_name(adder, quota, "The user");
  quota.add_option("SECONDS", adder.state().quota, "Number of seconds, or 'default' for the server's quota")
      ->required();
  CLI::App& token = adder.command("token", "Make a token for a user, shown once",
                                  "mash server user token ada --scope read --days 30", make_one_token);
  add_name(adder, token, "The user");
  takes_one_of(token.add_option("--scope", adder.state().scope, "What it allows")->capture_default_str(),
               std::array<std::string_view, 3>{"read", "submit", "operate"});
  add_days(adder, token, kUserTokenDays, 3650);
}

void add_board_commands(Adder& adder) {
  adder.command("list", "The boards, in their newest versions", "mash server board list", show_boards);
  CLI::App& put = adder.command("put", "Make a board, or its next version where it differs from the newest",
                                "mash server board put digits demo --seeds 16", put_one_board);
  SiteBoard& board = adder.state().board;
  put.add_option("NAME", board.name,
                 "Name of the board, which is part of its address: letters, digits, '.', '_' and '-'")
      ->required();
  put.add_option("EXPERIMENT", board.experiment,
                 "An experiment file, or the name of one that comes with the program")
      ->type_name("")
      ->required();
  put.add_option("--seeds", board.num_seeds, "Use at most N seeds in its offer tests")
      ->type_name("N")
      ->check(within(kMinBoardSeeds, kMaxBoardSeeds))
      ->capture_default_str();
  put.add_option(
         "--ladder-step", board.ladder_step,
         "Show the gain of a new version only where it beats the best before it by X per cent of the "
         "log-loss, so that nobody learns the hidden pictures by trying; 0: show all [the error of the "
         "placebo's gain in each test]")
      ->type_name("X")
      ->check(within(0.0, kMaxLadderStep));
}

}  // namespace

std::vector<Subcommand> add_server(CLI::App& program) {
  CLI::App* parent =
      program.add_subcommand("server", "Operate a site beside its running server: users, boards, backups");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash server user add ada");
  Adder adder(*parent);
  CLI::App& invite_app = adder.command("invite", "Make an invitation, with which one person registers",
                                       "mash server invite --days 14 --url https://mash.example.org", invite);
  add_days(adder, invite_app, 14, 366);
  invite_app.add_option("--url", adder.state().url, "The site's public address, for a link to register by")
      ->type_name("URL");
  add_name(adder,
           adder.command("rerun",
                         "Judge again, on a board's newest version, what was published on its earlier ones",
                         "mash server rerun digits", rerun_one_board),
           "The board");
  adder
      .command("backup", "Copy the database into a new file while the server runs, and check the copy",
               "mash server backup site-1.db --folder my-site", back_up)
      .add_option("FILE", adder.state().file, "The file to write; it must not exist yet")
      ->type_name("FILE")
      ->required();
  adder
      .command("restore", "Replace the database by a copy, while no server and no runner is running",
               "mash server restore site-1.db --folder my-site", restore)
      .add_option("FILE", adder.state().file, "A copy that mash server backup made")
      ->type_name("FILE")
      ->required();
  CLI::App& users =
      adder.group("user", "Users: who may log in, and what each may do", "mash server user list");
  CLI::App& boards =
      adder.group("board", "Boards: what is ranked, and beside which heuristics", "mash server board list");
  adder.turn_to(users);
  add_user_commands(adder);
  adder.turn_to(boards);
  add_board_commands(adder);
  return std::move(adder.subcommands);
}

}  // namespace mash
