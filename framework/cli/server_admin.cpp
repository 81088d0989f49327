// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "framework/cli/options.hpp"
#include "framework/cli/server_boards.hpp"
#include "framework/cli/server_people.hpp"
#include "framework/records/backup.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

std::vector<Subcommand> add_server(CLI::App& program) {
  CLI::App* parent =
      program.add_subcommand("server", "Operate a site beside its running server: users, boards, backups");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash server user add ada");
  AdminCommands commands(*parent);
  add_invite_command(commands);
  add_judging_commands(commands);
  commands
      .command("backup", "Copy the database into a new file while the server runs, and check the copy",
               "mash server backup site-1.db --folder my-site", back_up)
      .add_option("FILE", commands.state().file, "The file to write; it must not exist yet")
      ->type_name("FILE")
      ->required();
  commands
      .command("restore", "Replace the database by a copy, while no server and no runner is running",
               "mash server restore site-1.db --folder my-site", restore)
      .add_option("FILE", commands.state().file, "A copy that mash server backup made")
      ->type_name("FILE")
      ->required();
  CLI::App& users =
      commands.group("user", "Users: who may log in, and what each may do", "mash server user list");
  CLI::App& boards = commands.group("board", "Boards: what is ranked, and beside which heuristics",
                                    "mash server board list");
  commands.turn_to(users);
  add_user_commands(commands);
  commands.turn_to(boards);
  add_board_commands(commands);
  return std::move(commands.subcommands);
}

}  // namespace mash
