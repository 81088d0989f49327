// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/program.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>

#include "framework/cli/options.hpp"

namespace mash {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitInput = 2;

int report(const Error& error) {
  fmt::print(stderr, "mash: {}\n", error.message);
  return error.kind == ErrorKind::kInput ? kExitInput : kExitFailure;
}

}  // namespace

int run_program(int argc, char** argv) try {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("mash"));  // stdout is for results
  spdlog::set_pattern("%n: %v");
  CLI::App program("MASH: very large sets of heuristics, and boosters that sample them", "mash");
  program.set_version_flag("--version", MASH_VERSION);
  program.require_subcommand(1);
  program.set_help_all_flag("--help-all", "Help of all subcommands");
  program.footer("Example:\n  mash run experiments/demo.yaml");

  std::vector<Subcommand> subcommands{add_run(program), add_predict(program), add_leaderboard(program), add_report(program),
                                      add_doctor(program)};
  for (const auto& group : {add_heuristic(program), add_dataset(program)})
    subcommands.insert(subcommands.end(), group.begin(), group.end());

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : kExitInput;
  }
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) {
      const Status status = subcommand.run();
      return status.ok() ? 0 : report(status.error());
    }
  return kExitInput;
} catch (const std::bad_alloc&) {
  return report(failure("out of memory"));
} catch (const std::exception& error) {
  return report(failure("unexpected: {}", error.what()));
}

}  // namespace mash
