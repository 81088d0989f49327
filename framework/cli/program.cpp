// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/program.hpp"

#include <cerrno>
#include <cstring>
#include <exception>

#include "framework/cli/options.hpp"
#include "framework/cli/terminal.hpp"

namespace mash {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitInput = 2;

int report(const Error& error) {
  fmt::print(stderr, "mash: {}\n", harmless(error.message));
  return error.kind == ErrorKind::kInput ? kExitInput : kExitFailure;
}

// What CLI11 says, and for a misspelt command more than it says.
std::string usage_message(const CLI::App* program, const CLI::Error& error) {
  const CLI::App* app = program;
  std::string command = "mash";
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    command += " " + app->get_name();
  }
  std::string message = error.what();
  const std::vector<std::string> unread = app->remaining();
  if (app->get_require_subcommand_min() > 0 && !unread.empty() && !unread[0].starts_with('-')) {
    std::vector<std::string> names;
    for (const CLI::App* known : app->get_subcommands({}))
      if (!known->get_group().empty()) names.push_back(known->get_name());  // those without are hidden
    message =
        unknown_name("command", unread[0], std::vector<std::string_view>(names.begin(), names.end())).message;
  }
  return fmt::format("mash: {}\n{} --help says more\n", message, command);
}

}  // namespace

int run_program(int argc, char** argv) try {
  CLI::App program("MASH: very large sets of heuristics, and boosters that sample them", "mash");
  program.set_version_flag("--version", MASH_VERSION);
  program.require_subcommand(1);
  program.failure_message(usage_message);
  program.set_help_all_flag("--help-all", "Help of all subcommands");
  program.footer("Example:\n  mash run experiments/demo.yaml");

  std::vector<Subcommand> subcommands{add_run(program),    add_predict(program),   add_leaderboard(program),
                                      add_report(program), add_reproduce(program), add_doctor(program),
                                      add_serve(program),  add_submit(program),    add_status(program)};
  for (const auto& group :
       {add_heuristic(program), add_dataset(program), add_export(program), add_server(program)})
    subcommands.insert(subcommands.end(), group.begin(), group.end());

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : kExitInput;
  }
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) {
      const Status status = subcommand.run();
      if (!status.ok()) return report(status.error());
      return std::fflush(stdout) == 0
                 ? 0
                 : report(failure("the output cannot be written: {}", std::strerror(errno)));
    }
  return kExitInput;
} catch (const std::bad_alloc&) {
  return report(failure("out of memory"));
} catch (const std::exception& error) {
  return report(failure("unexpected: {}", error.what()));
}

}  // namespace mash
