// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/program.hpp"

#include <optional>

#include "classifiers/scan/kernels/pass_width.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/program_end.hpp"
#include "framework/base/stopped_within.hpp"
#include "framework/cli/completion.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/terminal.hpp"
#include "framework/commandline/manual.hpp"
#include "framework/commandline/usage.hpp"
#include "framework/commandline/version.hpp"

namespace mash {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitInput = 2;

int report(const Error& error) {
  print_error_text(fmt::format("mash: {}\n", harmless(error.message)));
  return error.kind == ErrorKind::kInput ? kExitInput : kExitFailure;
}

constexpr EnvironmentVariable kEnvironment[] = {
    {"MASH_DATA", "Folder in which data sets are looked for first."},
    {"MASH_HEURISTICS",
     "Folders of plugins, separated by colons, which are searched before the installed ones."},
    kImplementationVariable,
    kPassWidthVariable,
    {"MASH_MIRROR",
     "Addresses, with blanks between them, that mash dataset get asks in place of a publisher."},
    {"MASH_SDK", "Where the SDK is, if not where the program is installed."},
    {"MASH_SERVER, MASH_TOKEN", "Address of a server, and the token that opens it."},
    {"NO_COLOR", "Where it is set and not empty, no colours and no escape sequences are printed."},
};

// Answers to a program that asks: words to complete, or the pages of the manual. Nothing where it is neither.
std::optional<Status> answer_program(const CLI::App& program, int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--complete") {
    fmt::print("{}", completion_lines(complete(program, {argv + 2, argv + argc})));
    return Done{};
  }
  return write_manual_if_asked(program, {1, kEnvironment}, argc, argv);
}

int exit_code(Status status) {
  if (status.ok()) status = flush_output();
  return status.ok() ? 0 : report(status.error());
}

int answer(int argc, char** argv) {
  outlive_file_limits();
  CLI::App program("MASH: very large sets of heuristics, and boosters that sample them", "mash");
  program.formatter(help_formatter());
  add_version_flag(program);
  program.require_subcommand(1);
  program.set_help_all_flag("--help-all", "Print this help and that of all commands below");
  program.footer(
      "Example:\n  mash run demo\n"
      "mash COMMAND --help, or mash help COMMAND, describes a command.");

  std::vector<Subcommand> subcommands{add_run(program),      add_predict(program),   add_leaderboard(program),
                                      add_report(program),   add_compare(program),   add_explain(program),
                                      add_mistakes(program), add_reproduce(program), add_doctor(program),
                                      add_serve(program),    add_submit(program),    add_status(program),
                                      add_help(program),     add_completion(program)};
  for (const auto& group :
       {add_heuristic(program), add_dataset(program), add_store(program), add_records(program),
        add_export(program), add_schema(program), add_server(program), add_budget(program)})
    subcommands.insert(subcommands.end(), group.begin(), group.end());

  if (const auto answered = answer_program(program, argc, argv)) return exit_code(*answered);
  if (const Status chosen = choose_instruction_set_of_environment(); !chosen.ok()) return exit_code(chosen);
  if (const Status chosen = choose_pass_width_of_environment(); !chosen.ok()) return exit_code(chosen);
  if (const auto code = read_command_line(program, argc, argv)) return *code;
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) return exit_code(unless_stopped(subcommand.run));
  return kExitInput;
}

}  // namespace

int run_program(int argc, char** argv) {
  return run_guarded("mash", version_text, [&] { return answer(argc, argv); });
}

}  // namespace mash
